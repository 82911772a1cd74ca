import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, URL_BASE } from './browser.mjs';
import { apiOf, freePort, serve, stop, until } from './stack.mjs';

const api = apiOf(URL_BASE);
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function asked(page, path) {
  const requests = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith(path)) requests.push(request.url());
  });
  return requests;
}

test('what happens shows by itself, over a stream and without asking again and again', async () => {
  const { page, close } = await open(browser, '/');
  const requests = await asked(page, '/api/');
  await page.getByText('as it happens').first().waitFor();
  const { id } = await api.enqueue('demo.add', { a: 1, b: 2 });
  const activity = page.getByRole('region', { name: 'Activity' });
  await activity.getByText(`#${id}`).first().waitFor();
  await activity.getByText('succeeded', { exact: false }).first().waitFor();
  assert.deepEqual(
    requests.filter((url) => /\/api\/live\/(\?|$)/.test(url)),
    [],
  );
  await close();
});

test('where the server wants polling the page hears of a change as well', async () => {
  const polled = await serve(await freePort(), { QFORGE_LIVE_TRANSPORT: 'poll' });
  try {
    const { page, close } = await open(browser, '/jobs', { baseURL: polled.url });
    const streams = await asked(page, '/api/live/stream');
    await page.locator('tbody tr').first().waitFor();
    const { id } = await api.enqueue('demo.add', { a: 1, b: 2 });
    await page.getByText(`#${id}`).waitFor();
    assert.deepEqual(streams, []);
    await close();
  } finally {
    await stop(polled.child);
  }
});

test('a chart can be read with the keyboard, in words and as a table', async () => {
  const { page, close } = await open(browser, '/?range=6h');
  const chart = page.getByRole('figure', { name: /^Ended/ });
  await chart.getByRole('group').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await until('the point is said', async () =>
    (await chart.locator('[aria-live]').textContent())?.includes('Succeeded'),
  );
  await chart.getByRole('button', { name: 'Show as table' }).click();
  assert.equal(await chart.locator('tbody tr').count(), 5);
  await page.getByRole('radio', { name: '24 h' }).check();
  await until('the range is in the address', () => page.url().includes('range=24h'));
  await close();
});

test('the server ends although pages hold streams open', async () => {
  const own = await serve(await freePort());
  const { page, close } = await open(browser, '/', { baseURL: own.url });
  await page.getByText('as it happens').first().waitFor();
  const started = Date.now();
  await stop(own.child);
  assert.ok(Date.now() - started < 10_000, 'it took too long');
  await page.getByText('Connection lost.').waitFor({ timeout: 60_000 });
  await close();
});
