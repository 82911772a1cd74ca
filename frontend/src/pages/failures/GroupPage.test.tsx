import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Failure } from '../../api/client';
import { failure, row } from '../../testing/samples';
import { BOOT, putBoot, respond } from '../../testing/server';
import { MoreLikeThis } from '../job/MoreLikeThis';
import { TopFailures } from '../overview/TopFailures';
import { CommonValues } from './CommonValues';
import { GroupActions } from './GroupActions';
import { GroupPage } from './GroupPage';
import { GroupRetry } from './GroupRetry';
import { Samples } from './Samples';

function show(part: React.ReactNode) {
  putBoot();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{part}</QueryClientProvider>);
}

/** The group, and its jobs as their own list. */
function serve(group: Failure, ...jobs: unknown[]) {
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const list = url.includes('/api/jobs/');
    const body = list ? { results: jobs, next: null, previous: null } : group;
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
}

test('a group shows what failed, its note, its day and its jobs', async () => {
  serve(
    failure('card declined', { note: 'ask the bank', changed_by: 'ada', changed_at: '2026-01-01' }),
    row(71, { status: 'failed', error_preview: 'Declined: card declined' }),
  );
  show(<GroupPage fingerprint={'f'.repeat(32)} />);
  expect(await screen.findByRole('heading', { name: 'Declined', level: 1 })).toBeInTheDocument();
  expect(screen.getByText(': card declined')).toBeInTheDocument();
  expect(screen.getByText('ask the bank')).toBeInTheDocument();
  expect(screen.getByText('shop.pay:charge')).toBeInTheDocument();
  expect(screen.getByRole('figure', { name: /^Seen 5 times/ })).toBeInTheDocument();
  const jobs = await screen.findByRole('table', { name: 'Jobs' });
  expect(within(jobs).getByRole('link', { name: /#71/ })).toBeInTheDocument();
});

test('a group that is gone says for how long groups are kept', async () => {
  BOOT.settings.ERROR_GROUP_RETENTION_SECONDS = 7_776_000;
  respond(404, { code: 'not-found', title: 'No', detail: 'x', status: 404 });
  show(<GroupPage fingerprint="x" />);
  expect(await screen.findByText('There is no such group of failures')).toBeInTheDocument();
});

test('an open group can be resolved and ignored, another one opened again', () => {
  show(<GroupActions group={failure('no')} />);
  expect(screen.getByRole('button', { name: 'Resolve' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Ignore' })).toBeInTheDocument();
  show(<GroupActions group={failure('no', { status: 'resolved' })} />);
  expect(screen.getByRole('button', { name: 'Open again' })).toBeInTheDocument();
});

test('without a failed job there is nothing to retry, and it says so', () => {
  show(<GroupRetry group={failure('no', { failed: { count: 0, exact: true } })} />);
  for (const retry of screen.getAllByRole('button', { name: /^Retry/ })) {
    expect(retry).toHaveAttribute('aria-disabled', 'true');
    expect(retry).toHaveAttribute('title', 'No job of it has failed for good');
  }
});

test('all failed jobs of the group are tried out first, and no others', async () => {
  const requests = respond(200, { count: 2, exact: true, sample: [] });
  show(<GroupRetry group={failure('no')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Retry all 2' }));
  expect(await screen.findByRole('heading', { name: 'Retry 2 jobs?' })).toBeInTheDocument();
  expect(await requests[0]?.json()).toEqual({
    action: 'retry',
    dry_run: true,
    filter: { error_fingerprint: 'f'.repeat(32), status: ['failed'] },
  });
});

test('one job can go first: the latest that failed', async () => {
  const asked: [string, string][] = [];
  vi.stubGlobal('fetch', async ({ url, method }: Request) => {
    asked.push([method, url]);
    const body = method === 'GET' ? { results: [row(71)], next: null, previous: null } : row(71);
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  });
  show(<GroupRetry group={failure('no')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Retry one' }));
  await screen.findByRole('heading', { name: 'Retry job 71?' });
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Retry one' }));
  const [list, ...writes] = asked;
  expect(list?.[1]).toContain(`error_fingerprint=${'f'.repeat(32)}&status=failed&page_size=1`);
  expect(writes.find(([method]) => method === 'POST')?.[1]).toContain('/api/jobs/71/retry/');
});

test('common values say whether all have them', () => {
  const value = { path: 'user.region', value: 'eu', jobs: 9, of: 10 };
  const all = { path: 'vip', value: true, jobs: 10, of: 10 };
  show(<CommonValues group={failure('no', { common_values: [all, value] })} />);
  expect(screen.getByRole('row', { name: /vip true all/ })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /user.region eu 9 of 10/ })).toBeInTheDocument();
});

test('who may not see payloads is told so', () => {
  show(<CommonValues group={failure('no', { payload_visible: false })} />);
  expect(screen.getByText('Payloads are not shown to you')).toBeInTheDocument();
});

test('a payload too long to be sent leads to its job', () => {
  const sample = { job: 7, status: 'failed' as const, payload: null, payload_chars: 90_000 };
  show(<Samples group={failure('no', { samples: [sample] })} />);
  expect(screen.getByText(/90,000 characters/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'shown with the job' })).toHaveAttribute(
    'href',
    '/jobs/7',
  );
});

test('a job leads to those that failed like it', async () => {
  respond(200, failure('no', { failed: { count: 13, exact: true } }));
  show(<MoreLikeThis fingerprint={'f'.repeat(32)} />);
  expect(await screen.findByRole('link', { name: '12 more like this' })).toHaveAttribute(
    'href',
    `/failures/${'f'.repeat(32)}`,
  );
});

test('the overview has the five groups that failed most in a day, the worst first', async () => {
  const results = [1, 9, 3, 0, 7, 5, 8].map((hour) =>
    failure('no', { fingerprint: `f${hour}`, exception: `E${hour}`, hours: [hour] }),
  );
  respond(200, { results, next: null, previous: null });
  show(<TopFailures />);
  const rows = (await screen.findAllByRole('row')).slice(1);
  expect(rows.map((one) => within(one).getByRole('link').textContent)).toEqual([
    'E9',
    'E8',
    'E7',
    'E5',
    'E3',
  ]);
});
