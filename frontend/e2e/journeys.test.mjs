import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, URL_BASE } from './browser.mjs';
import { apiOf, freePort, manage, serve, stop, until } from './stack.mjs';

const api = apiOf(URL_BASE);
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser.close());

const status = async (id) => (await api.get(`/api/jobs/${id}/`)).status;
const shown = (page, word) =>
  page.locator('main header, main h1 ~ span', { hasText: word }).first().waitFor();

test('a job is enqueued in the drawer and watched until it has finished', async () => {
  const { page, close } = await open(browser, '/');
  await page.getByRole('button', { name: 'Enqueue' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Task').selectOption('demo.slow');
  await drawer.getByLabel('Payload').fill('{"seconds": 3}');
  await drawer.getByRole('button', { name: 'Enqueue' }).click();
  await page.getByRole('link', { name: /^job \d+$/ }).click();
  await shown(page, 'Running');
  await shown(page, 'Succeeded');
  await page.getByText('slept_seconds').waitFor();
  await close();
});

test('what the server refuses is said at its field', async () => {
  const { page, close } = await open(browser, '/tasks');
  await page.getByRole('button', { name: 'Enqueue demo.add' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Payload').fill('{"a": 1}');
  await drawer.getByLabel('Priority').fill('1000');
  await drawer.getByRole('button', { name: 'Enqueue' }).click();
  await until('a field is marked', () => drawer.locator('[aria-invalid="true"]').count());
  await drawer.getByLabel('Payload').fill('{"a": 1');
  await drawer.getByRole('button', { name: 'Enqueue' }).click();
  await drawer.getByText(/is not JSON/).waitFor();
  await close();
});

test('a failed job says why, and is retried with a reason', async () => {
  const { id } = await api.enqueue('demo.slow', { seconds: -1 });
  const { page, close } = await open(browser, `/jobs/${id}`);
  await shown(page, 'Failed');
  await page.getByText('PermanentError').first().waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByLabel('Reason').fill('the cause is gone');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('the cause is gone').waitFor();
  assert.equal(
    await page.getByRole('button', { name: 'Run now' }).getAttribute('aria-disabled'),
    'true',
  );
  await close();
});

test('a queue is paused with a reason and resumed', async () => {
  const { page, close } = await open(browser, '/queues');
  await page.getByRole('button', { name: 'Pause reports' }).click();
  await page.getByLabel('Reason').fill('database upgrade');
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await page.getByText(/database upgrade/).waitFor();
  const { id } = await api.enqueue('demo.write_report');
  await page.goto(`${URL_BASE}/`);
  await page
    .getByRole('region', { name: 'Verdict' })
    .getByText(/is paused .* 1 job waiting/)
    .waitFor();
  await page.goto(`${URL_BASE}/jobs/${id}`);
  await page.getByText(/queue reports has been paused for .*: database upgrade/).waitFor();
  await page.goto(`${URL_BASE}/queues`);
  await page.getByRole('button', { name: 'Resume reports' }).click();
  await page.getByRole('button', { name: 'Resume queue' }).click();
  await until('the job has run', async () => (await status(id)) === 'succeeded');
  await close();
});

test('a running job is cancelled by keyboard alone', async () => {
  const { id } = await api.enqueue('demo.slow', { seconds: 300 });
  await until('it runs', async () => (await status(id)) === 'running');
  const { page, close } = await open(browser, '/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(`${id}`);
  await page.keyboard.press('Enter');
  await shown(page, 'Running');
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await page.keyboard.type('typed by mistake');
  await page.keyboard.press('Enter');
  await until('it is cancelled', async () => (await status(id)) === 'cancelled');
  await shown(page, 'Cancelled');
  await close();
});

test('pages are reached and rows are walked by keyboard; the keys can be switched off', async () => {
  await api.enqueue('demo.add', { a: 1, b: 2 });
  const { page, close } = await open(browser, '/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
  await page.locator('tbody tr').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/jobs\/\d+$/);
  await page.goBack();
  await page.waitForURL(/\/jobs$/);
  await page.keyboard.press('?');
  await page.getByLabel('Keyboard shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  assert.match(page.url(), /\/jobs$/);
  await close();
});

test('filters live in the address, and pages turn without losing them', async () => {
  await api.post('/api/jobs/bulk/', {
    jobs: Array.from({ length: 120 }, (_, n) => ({
      task: 'demo.echo',
      payload: { n },
      queue: 'many',
    })),
  });
  const { page, close } = await open(browser, '/jobs');
  await page.getByRole('combobox', { name: 'Queue' }).fill('many');
  await page.keyboard.press('Enter');
  await page.waitForURL(/queue=many/);
  await page.getByText('50 rows on this page').waitFor();
  const first = await page.locator('tbody tr th').first().textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL(/cursor=.*/);
  await until(
    'another page',
    async () => (await page.locator('tbody tr th').first().textContent()) !== first,
  );
  assert.match(page.url(), /queue=many/);
  await page.goBack();
  await until(
    'the first page',
    async () => (await page.locator('tbody tr th').first().textContent()) === first,
  );
  await page.getByRole('button', { name: 'Remove Queue' }).click();
  await page.waitForURL((url) => !url.search.includes('queue'));
  await close();
});

test('integers beyond 53 bits keep every digit, and text stays text', async () => {
  const payload = '{"big": 9223372036854775807, "html": "<img src=x onerror=alert(1)>"}';
  const response = await fetch(`${URL_BASE}/api/jobs/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"task": "demo.echo", "payload": ${payload}}`,
  });
  const { id } = await response.json();
  const { page, close } = await open(browser, `/jobs/${id}`);
  await page.getByText('9223372036854775807').first().waitFor();
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  assert.equal(await page.locator('main img').count(), 0);
  await close();
});

test('a job that is gone says how long jobs are kept', async () => {
  const { page, close } = await open(browser, '/jobs/999999999');
  await page.getByText('There is no such job').waitFor();
  await page.getByText(/succeeded 7 d/).waitFor();
  await close();
});

test('who must log in is asked to, and then acts with a CSRF token', async () => {
  const make = `from django.contrib.auth import get_user_model as g; g().objects.create_superuser('ada', '', 'engine')`;
  manage('shell', '-c', make);
  const closed = await serve(await freePort(), { QFORGE_OPEN_ON_LOOPBACK: 'false' });
  const { page, close } = await open(browser, '/queues', { baseURL: closed.url });
  await page.waitForURL(/\/admin\/login\/\?next=%2Fqueues/);
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill('engine');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Pause mail' }).click();
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await page.getByText(/by ada/).waitFor();
  await page.context().clearCookies();
  await page.getByText('Your session has ended').waitFor();
  await close();
  await stop(closed.child);
  await api.post('/api/queues/mail/resume/');
});
