"""How Sphinx makes a site of the pages: `bin/docs`. What stands where is in `toc.yml`."""

project = "QForge"
author = "QForge contributors"
extensions = ["myst_parser", "sphinx_external_toc", "sphinxcontrib.mermaid"]

# The root of the repository, so that links between its pages are those that GitHub follows.
root_doc = "docs/README"
include_patterns = ["README.md", "docs/**", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = [".*", "benchmarks", "build", "dist", "frontend", "jobs", "tests"]
external_toc_path = "docs/toc.yml"

myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]

html_theme = "furo"
html_title = "QForge"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
