import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, NARROW, open, URL_BASE } from './browser.mjs';
import { apiOf, until } from './stack.mjs';

const api = apiOf(URL_BASE);
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

const ended = (id) =>
  until(`job ${id} has ended`, async () => (await api.get(`/api/jobs/${id}/`)).finished_at);

/** Jobs that fail at once and for good, all in the same way but for their numbers. */
async function fail(...seconds) {
  const made = [];
  for (const one of seconds) made.push((await api.enqueue('demo.slow', { seconds: one })).id);
  await Promise.all(made.map(ended));
  const { error_fingerprint } = await api.get(`/api/jobs/${made[0]}/`);
  return { ids: made, fingerprint: error_fingerprint };
}

const group = (fingerprint) => api.get(`/api/failures/${fingerprint}/`);

test('fail and triage a group, by the keyboard alone', async () => {
  const { ids, fingerprint } = await fail(-1, -22, -333);
  const { page, close } = await open(browser, '/');
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page
    .getByRole('region', { name: 'Top failures' })
    .getByRole('link', { name: /PermanentError/ })
    .waitFor();
  await press('g', 'f');
  await page.getByRole('heading', { name: 'Failures', level: 1 }).waitFor();
  const row = page.locator('tbody tr', { has: page.locator(`a[href$="${fingerprint}"]`) });
  await row.waitFor();
  await row.getByText(/failed$/).waitFor();
  do await press('j');
  while (!(await row.evaluate((element) => element.contains(document.activeElement))));
  await press('Enter');
  await page.waitForURL(new RegExp(fingerprint));
  await page.getByRole('heading', { name: 'PermanentError', level: 1 }).waitFor();
  for (const id of ids)
    await page
      .getByRole('link', { name: `#${id}` })
      .first()
      .waitFor();

  await press('e');
  await page.getByRole('dialog').getByLabel('Note').waitFor();
  await page.keyboard.type('negative times are refused upstream now');
  await press('Control+Enter');
  await page.getByText('Resolved', { exact: true }).waitFor();
  await page.getByText('negative times are refused upstream now').waitFor();
  assert.equal((await group(fingerprint)).status, 'resolved');

  await fail(-4444);
  await page.getByText('Reopened').waitFor();
  assert.equal((await group(fingerprint)).status, 'open');

  await press('i');
  await page.getByLabel('Until so many more failures').waitFor();
  await page.keyboard.type('2');
  await press('Enter');
  await page.getByText('for 2 more').waitFor();
  await fail(-5, -6);
  await page.getByText('Reopened').waitFor();

  await press('1');
  await page.getByRole('dialog').getByText('See how it ends').waitFor();
  await page.getByRole('heading', { name: /^Retry job \d+\?$/ }).waitFor();
  await page.keyboard.type('is it still so?');
  await press('Enter');
  await page.getByRole('link', { name: 'Watch it' }).waitFor();
  await until('it has failed again', async () => (await group(fingerprint)).occurrences === 7);

  await press('r');
  await page.getByRole('heading', { name: 'Retry 6 jobs?' }).waitFor();
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('upstream was fixed');
  await press('Enter');
  await page.waitForURL(/\/operations\/\d+/);
  await until('all were tried again', async () => (await group(fingerprint)).occurrences === 13);
  await close();
});

test('what jobs have in common is told, and one job leads to the others', async () => {
  const { ids, fingerprint } = await fail(-7, -7, -7, -7);
  const { page, close } = await open(browser, `/jobs/${ids[0]}`);
  await page.getByRole('link', { name: /more like this/ }).click();
  await page.waitForURL(new RegExp(fingerprint));
  await page.getByRole('region', { name: 'In common' }).waitFor();
  await page.getByRole('region', { name: 'Payloads' }).getByText('seconds:').first().waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('columnheader', { name: 'Hour from' }).waitFor();
  await close();
});

test('who narrows the list down to nothing is led back, also on a phone', async () => {
  await fail(-8);
  const { page, close } = await open(browser, '/failures?q=NoSuchError', { viewport: NARROW });
  await page.getByText('Nothing open has exception “NoSuchError”.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page
    .getByRole('link', { name: /^PermanentError/ })
    .first()
    .waitFor();
  await close();
});

test('a group that is gone says so', async () => {
  const { page, close } = await open(browser, `/failures/${'0'.repeat(32)}`);
  await page.getByText('There is no such group of failures').waitFor();
  await page.getByText(/kept for 90 d/).waitFor();
  await close();
});
