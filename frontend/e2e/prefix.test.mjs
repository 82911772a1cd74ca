import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, open } from './browser.mjs';
import { freePort, serve, stop } from './stack.mjs';

let browser;
let web;

before(async () => {
  browser = await launch();
  web = await serve(
    await freePort(),
    {
      DJANGO_SETTINGS_MODULE: 'prefixed_settings',
      PYTHONPATH: fileURLToPath(new URL('prefixed', import.meta.url)),
    },
    '/deep/inside',
  );
});
after(async () => {
  await browser.close();
  await stop(web.child);
});

test('below a prefix the console finds its parts, its routes and its API', async () => {
  const { page, close } = await open(browser, '/deep/inside/', { baseURL: web.url });
  await page.getByRole('region', { name: 'Queues' }).locator('tbody tr').first().waitFor();
  await page.getByRole('link', { name: /^Jobs/ }).first().click();
  await page.waitForURL(/\/deep\/inside\/jobs$/);
  await page.getByRole('button', { name: 'Enqueue' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Task').selectOption('demo.add');
  await drawer.getByRole('button', { name: 'Enqueue' }).click();
  await page.getByRole('link', { name: /^job \d+$/ }).click();
  await page.waitForURL(/\/deep\/inside\/jobs\/\d+$/);
  await page.reload();
  await page.getByRole('heading', { name: 'demo.add', level: 1 }).waitFor();
  await close();
});
