// Before the first paint, so that the page never flashes in the other theme.
try {
  const theme = JSON.parse(localStorage.getItem('qforge.preferences') ?? '{}').theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is used then.
}
