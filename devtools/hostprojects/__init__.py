"""The package as its users meet it: built, installed, and used in projects that are not ours.

`python -m devtools.hostprojects dist/*.whl`
"""
