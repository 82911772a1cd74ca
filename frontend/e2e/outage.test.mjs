import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { apiOf, freePort, serve, stop } from './stack.mjs';

let browser;
let port;
let web;

before(async () => {
  browser = await launch();
  port = await freePort();
  web = await serve(port);
});
after(async () => {
  await browser.close();
  await stop(web.child);
});

test('a server that goes away is noticed, and the page recovers alone when it is back', async () => {
  const { page, close } = await open(browser, '/jobs?q=demo', { baseURL: web.url });
  await apiOf(web.url).enqueue('demo.add', { a: 20, b: 22 });
  await page.locator('tbody tr').first().waitFor();
  const rows = await page.locator('tbody tr').count();
  await stop(web.child);
  await page.getByText('Connection lost.').waitFor({ timeout: 60_000 });
  assert.ok((await page.locator('tbody tr').count()) >= rows, 'old data stays');
  web = await serve(port);
  await page.getByText('Connection lost.').waitFor({ state: 'detached', timeout: 60_000 });
  const { id } = await apiOf(web.url).enqueue('demo.add', { a: 1, b: 1 });
  await page.getByText(`#${id}`).waitFor();
  await close();
});
