// Acting on many jobs: chosen in the list, carried out by real workers, followed to the end.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, NARROW, open, URL_BASE } from './browser.mjs';
import { apiOf, until } from './stack.mjs';

const api = apiOf(URL_BASE);
const DEAD = 5_000;
// A queue that is paused: what is retried there stays queued and can be counted.
const QUEUE = 'bulk-e2e';
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

const enqueue = (count) =>
  api.post('/api/jobs/bulk/', {
    jobs: Array.from({ length: count }, () => ({
      task: 'demo.flaky',
      payload: { failure_rate: 1 },
      max_attempts: 1,
      queue: QUEUE,
    })),
  });

async function counted(status) {
  const filter = { queue: QUEUE, status };
  const action = status === 'failed' ? 'retry' : 'cancel';
  const body = { action, filter, dry_run: true };
  return (await api.post('/api/operations/', body)).count;
}

const gone = (count) =>
  until(`${count} jobs have failed`, async () => (await counted('failed')) >= count, 240);

test('5,000 dead jobs are retried by keyboard, and later ones are left alone', async () => {
  await enqueue(DEAD);
  await gone(DEAD);
  const { page, close } = await open(browser, `/jobs?status=failed&queue=${QUEUE}`);
  await page.getByRole('checkbox', { name: 'Select the page' }).waitFor();
  await page.keyboard.press('a');
  const bar = page.getByRole('region', { name: 'Selected jobs' });
  await bar.getByRole('button', { name: /Retry 5,000/ }).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Retry 5,000 jobs?' });
  await dialog.getByLabel('Reason').waitFor();
  await page.keyboard.type('the bug is fixed');
  await api.post(`/api/queues/${QUEUE}/pause/`, { reason: 'so that they can be counted' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Retry: operation \d+$/ }).waitFor();
  // Jobs that arrive after the click.
  await enqueue(50);
  await page.getByText('5,000 done').waitFor();
  await page.getByText('the bug is fixed').waitFor();
  const [operation] = (await api.get('/api/operations/?page_size=1')).results;
  assert.equal(operation.status, 'succeeded');
  assert.deepEqual([operation.matched, operation.done, operation.skipped], [DEAD, DEAD, 0]);
  assert.equal(await counted('failed'), 0);
  assert.equal(await counted('queued'), DEAD + 50);
  await close();
});

test('a range of rows is cancelled, and nothing else', async () => {
  const { page, close } = await open(browser, `/jobs?status=queued&queue=${QUEUE}`);
  const boxes = page.getByRole('checkbox', { name: /^Select job/ });
  await boxes.nth(0).click();
  await boxes.nth(9).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selected jobs' });
  await bar.getByText('10 jobs selected').waitFor();
  await bar.getByRole('button', { name: /Cancel 10/ }).click();
  await page.getByRole('button', { name: 'Cancel 10 jobs' }).click();
  await page.getByText('10 done').waitFor();
  assert.equal(await counted('queued'), DEAD + 40);
  await page.getByRole('link', { name: 'Operations' }).first().click();
  await page.getByRole('link', { name: /Cancel 10 chosen jobs/ }).waitFor();
  await close();
});

test('a slow operation is stopped, and what it has done stays done', async () => {
  const { id } = await api.post('/api/operations/', {
    action: 'cancel',
    filter: { queue: QUEUE, status: 'queued' },
    rate_per_second: 20,
  });
  const { page, close } = await open(browser, `/operations/${id}`, { viewport: NARROW });
  await page.getByText(/a second · .* left/).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Stop the operation' }).click();
  await page.getByText(/^Stopped after/).waitFor();
  const { done } = await api.get(`/api/operations/${id}/`);
  assert.ok(done > 0 && done < DEAD);
  assert.equal(await counted('queued'), DEAD + 40 - done);
  await close();
});

test('the pages fit a telephone and have names for all that can be pressed', async () => {
  for (const viewport of [NARROW, { width: 1280, height: 860 }]) {
    const { page, close } = await open(browser, `/jobs?queue=${QUEUE}`, { viewport });
    await page
      .getByRole('checkbox', { name: /^Select job/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Selected jobs' }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false);
    await close();
  }
});
