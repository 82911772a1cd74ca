import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { JobQuery } from '../../api/queries';
import { boot } from '../../boot';
import { useShortcutKeys } from '../../shell/shortcuts';
import { operation, row } from '../../testing/samples';
import { putBoot } from '../../testing/server';
import { BulkBar } from './BulkBar';
import { JobsTable } from './JobsTable';
import { useSelection } from './selection';

const failed = (id: number) => row(id, { status: 'failed', allowed_actions: ['retry'] });
const JOBS = [failed(5), failed(4), row(3), failed(2)];

function List({ query }: { query: JobQuery }) {
  useShortcutKeys();
  const selection = useSelection('key');
  return (
    <>
      <JobsTable jobs={JOBS} chosen={null} bodyRef={null} selection={selection} />
      <BulkBar selection={selection} query={query} />
    </>
  );
}

interface Answer {
  status: number;
  body: object;
}

/** Answers dry runs and starts by these; returns the bodies that were sent. */
function serve(
  dry: () => Answer,
  start: () => Answer = () => ({ status: 202, body: operation() }),
) {
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const body = await request.clone().json();
    sent.push(body);
    const answer = body.dry_run ? dry() : start();
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  });
  return sent;
}

const counted = (count: number, exact = true) => ({
  status: 200,
  body: { count, exact, sample: [{ ...failed(5), finished_at: null }] },
});

function show(query: JobQuery = { status: ['failed'], ordering: '-id', cursor: 'x' }) {
  const { hook, history } = memoryLocation({ path: '/jobs', record: true });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Router hook={hook}>
        <List query={query} />
      </Router>
    </QueryClientProvider>,
  );
  return history;
}

const box = (id: number) => screen.getByRole('checkbox', { name: `Select job ${id}` });
const bar = () => screen.getByRole('region', { name: 'Selected jobs' });
const press = (name: RegExp) => userEvent.click(within(bar()).getByRole('button', { name }));

putBoot();

afterEach(() => {
  boot().permissions.bulk_operate = true;
});

test('nothing is offered until something is selected', async () => {
  show();
  expect(screen.queryByRole('region', { name: 'Selected jobs' })).toBeNull();
  await userEvent.click(box(4));
  expect(bar()).toHaveTextContent('1 job selected');
});

test('with shift a range is selected', async () => {
  show();
  await userEvent.click(box(5));
  fireEvent.click(box(2), { shiftKey: true });
  expect(bar()).toHaveTextContent('4 jobs selected');
});

test('each action tells for how many of the selected jobs it is', async () => {
  show();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select the page' }));
  expect(within(bar()).getByRole('button', { name: /Retry 3/ })).toBeEnabled();
  expect(within(bar()).getByRole('button', { name: /Cancel 1/ })).toBeEnabled();
  const run = within(bar()).getByRole('button', { name: 'Run now' });
  expect(run).toHaveAttribute('aria-disabled', 'true');
  expect(run).toHaveAttribute('title', expect.stringContaining('None of them is scheduled'));
});

test('chosen jobs are counted by the server, confirmed with a reason, and followed', async () => {
  const sent = serve(() => counted(2));
  const history = show();
  await userEvent.click(box(5));
  await userEvent.click(box(4));
  await press(/Retry/);
  const dialog = await screen.findByRole('dialog', { name: 'Retry 2 jobs?' });
  await userEvent.type(await within(dialog).findByLabelText('Reason'), 'fixed');
  await userEvent.selectOptions(within(dialog).getByLabelText('Pace'), '10 a second');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry 2 jobs' }));
  await waitFor(() => expect(history.at(-1)).toBe('/operations/12'));
  const ids = { action: 'retry', ids: [5, 4] };
  expect(sent).toEqual([
    { ...ids, dry_run: true },
    { ...ids, reason: 'fixed', rate_per_second: 10, expected_count: 2 },
  ]);
});

test('all that match are asked for by the filter, by keyboard alone', async () => {
  const sent = serve(() => counted(10_000, false));
  show();
  await userEvent.keyboard('a');
  expect(bar()).toHaveTextContent('All that match');
  await within(bar()).findByRole('button', { name: /Retry 10,000\+/ });
  await userEvent.keyboard('r');
  await screen.findByRole('dialog', { name: 'Retry 10,000+ jobs?' });
  await userEvent.click(screen.getByRole('button', { name: 'Retry 10,000+ jobs' }));
  const begun = { action: 'retry', filter: { status: ['failed'] }, reason: '' };
  await waitFor(() => expect(sent).toContainEqual(begun));
});

test('without a filter every job is asked for in so many words', async () => {
  const sent = serve(() => counted(3));
  show({});
  await userEvent.keyboard('a');
  await within(bar()).findByRole('button', { name: /Cancel 3/ });
  expect(sent).toContainEqual({ action: 'cancel', all: true, dry_run: true });
});

test('when more jobs match by now, the new number is shown and nothing has begun', async () => {
  const numbers = [2, 7];
  const problem = { code: 'count-mismatch', title: 'More', detail: 'more', status: 409 };
  serve(
    () => counted(numbers.shift() ?? 7),
    () => ({ status: 409, body: problem }),
  );
  const history = show();
  await userEvent.click(box(5));
  await press(/Retry/);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry 2 jobs' }));
  expect(await screen.findByRole('button', { name: 'Retry 7 jobs' })).toBeEnabled();
  expect(screen.getByRole('alert')).toHaveTextContent('More jobs match by now');
  expect(history).toEqual(['/jobs']);
});

test('who may not act on many jobs reads which permission is missing', async () => {
  boot().permissions.bulk_operate = false;
  show();
  await userEvent.click(box(5));
  expect(within(bar()).getByRole('button', { name: /Retry/ })).toHaveAttribute(
    'title',
    'It needs the permission qforge.bulk_operate',
  );
});

test('Escape selects nothing', async () => {
  show();
  await userEvent.click(box(5));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Selected jobs' })).toBeNull();
});
