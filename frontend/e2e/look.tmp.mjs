import { launch } from './browser.mjs';

const [, , tag, ...paths] = process.argv;
const browser = await launch();
const base = 'http://127.0.0.1:8123';
for (const [w, h, theme, name] of [
  [1280, 860, 'light', 'wl'],
  [1280, 860, 'dark', 'wd'],
  [360, 780, 'light', 'nl'],
  [360, 780, 'dark', 'nd'],
]) {
  if (process.env.ONLY && !process.env.ONLY.split(',').includes(name)) continue;
  const page = await browser.newPage({ viewport: { width: w, height: h }, colorScheme: theme });
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log(name, m.text()));
  page.on('pageerror', (e) => console.log(name, 'PAGEERROR', e.message));
  for (const path of paths) {
    await page.goto(base + path, { waitUntil: 'load' });
    await page.waitForTimeout(1200);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.log(name, path, 'overflows by', over);
    await page.screenshot({
      path: `/tmp/shots/${tag}-${path.replace(/[^a-z0-9]+/gi, '_')}-${name}.png`,
      fullPage: process.env.FULL === '1',
    });
  }
  await page.close();
}
await browser.close();
