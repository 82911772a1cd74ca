import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { launch, NARROW, open, picture, URL_BASE, WIDE } from './browser.mjs';
import { apiOf, until } from './stack.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const api = apiOf(URL_BASE);
const ids = {};
let browser;

const ended = (id) =>
  until(`job ${id} has ended`, async () => (await api.get(`/api/jobs/${id}/`)).finished_at);

before(async () => {
  browser = await launch();
  const long = 'n'.repeat(200);
  ids.failed = (await api.enqueue('demo.flaky', { failure_rate: 1 }, { max_attempts: 2 })).id;
  ids.long = (
    await api.enqueue(
      'demo.echo',
      { [long]: long },
      { queue: 'q'.repeat(64), idempotency_key: long },
    )
  ).id;
  const rows = Array.from({ length: 1500 }, (_, id) => ({ id, text: 'lorem ipsum '.repeat(9) }));
  ids.large = (await api.enqueue('demo.echo', { rows })).id;
  ids.running = (await api.enqueue('demo.slow', { seconds: 600 })).id;
  await api.enqueue('demo.add', { a: 1, b: 2 }, { delay_seconds: 3600 });
  await api.post('/api/schedules/', {
    name: 'nightly-report',
    task: 'demo.write_report',
    cron: '0 3 * * *',
    timezone: 'Europe/Berlin',
  });
  ids.workflow = (
    await api.post('/api/workflows/', {
      name: 'release',
      steps: [
        { step: 'build', task: 'demo.add', payload: { a: 1, b: 2 } },
        {
          step: 'test',
          task: 'demo.flaky',
          payload: { failure_rate: 1 },
          max_attempts: 1,
          depends_on: ['build'],
        },
        {
          step: 'lint',
          task: 'demo.add',
          payload: { a: 1, b: 2 },
          depends_on: ['build'],
          available_at: '2099-01-01T00:00:00Z',
        },
        { step: long, task: 'demo.add', payload: { a: 1, b: 2 }, depends_on: ['lint'] },
        { step: 'deploy', task: 'demo.add', payload: { a: 1, b: 2 }, depends_on: ['test', 'lint'] },
      ],
    })
  ).id;
  await api.post('/api/queues/webhooks/pause/', { reason: 'partner is down' });
  const chosen = { action: 'retry', ids: [ids.failed, 999_999_999] };
  ids.operation = (await api.post('/api/operations/', chosen)).id;
  await Promise.all([ids.failed, ids.long, ids.large].map(ended));
  ids.group = (await api.get(`/api/jobs/${ids.failed}/`)).error_fingerprint;
});

after(async () => {
  await api.post(`/api/jobs/${ids.running}/cancel/`);
  await api.post('/api/queues/webhooks/resume/');
  await browser.close();
});

const PAGES = () => ({
  overview: '/',
  jobs: '/jobs',
  'jobs-failed': '/jobs?status=failed&ordering=-finished_at',
  'jobs-none': '/jobs?q=nothing-has-this-text',
  'job-failed': `/jobs/${ids.failed}`,
  'job-long': `/jobs/${ids.long}`,
  'job-large': `/jobs/${ids.large}`,
  'job-running': `/jobs/${ids.running}`,
  'job-gone': '/jobs/999999999',
  failures: '/failures',
  'failures-none': '/failures?q=NoSuchError',
  failure: `/failures/${ids.group}`,
  workflows: '/workflows',
  'workflow-graph': `/workflows/${ids.workflow}`,
  'workflow-gantt': `/workflows/${ids.workflow}?tab=gantt`,
  'workflow-steps': `/workflows/${ids.workflow}?tab=steps`,
  'workflow-events': `/workflows/${ids.workflow}?tab=events`,
  'workflow-step': `/workflows/${ids.workflow}?step=deploy`,
  queues: '/queues',
  queue: '/queues/mail',
  workers: '/workers',
  schedules: '/schedules',
  tasks: '/tasks',
  operations: '/operations',
  operation: `/operations/${ids.operation}`,
  system: '/system',
});

const PICTURES = {
  'overview wide light': 'overview',
  'overview wide dark': 'overview-dark',
  'job-failed wide light': 'job',
  'jobs narrow light': 'jobs-narrow',
};

async function violations(page) {
  // Through the protocol, past the policy, which forbids the page to run foreign scripts.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (tags) => globalThis.axe.run({ runOnly: tags, resultTypes: ['violations'] }),
    TAGS,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160))}`);
}

for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
  for (const colorScheme of ['light', 'dark']) {
    test(`every page is accessible, ${size} and ${colorScheme}`, async (t) => {
      const { page, close } = await open(browser, '/', { viewport, colorScheme });
      for (const [name, path] of Object.entries(PAGES())) {
        await t.test(name, async () => {
          await page.goto(`${URL_BASE}${path}`);
          await page.locator('h1').waitFor();
          await until('all is loaded', async () => !(await page.getByLabel('Loading').count()));
          assert.deepEqual(await violations(page), []);
          const wider = await page.evaluate(
            () => document.documentElement.scrollWidth - globalThis.innerWidth,
          );
          assert.ok(wider <= 0, `the page is ${wider} px wider than the window`);
          const file = PICTURES[`${name} ${size} ${colorScheme}`];
          if (file) await picture(page, file);
        });
      }
      await close();
    });
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`dialogs are accessible, ${colorScheme}`, async () => {
    const { page, close } = await open(browser, '/queues', { colorScheme, viewport: NARROW });
    await page.getByRole('button', { name: 'Pause mail' }).click();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Help and settings' }).click();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Enqueue' }).first().click();
    await page.getByRole('dialog').getByLabel('Task').selectOption('demo.add');
    assert.deepEqual(await violations(page), []);
    await close();
  });
}
