import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { operation } from '../../testing/samples';
import { putBoot } from '../../testing/server';
import { OperationPage } from './OperationPage';
import { OperationsPage } from './OperationsPage';

const page = (results: object[]) => ({ results, next: null, previous: null });

function serve(answers: (path: string, method: string) => [number, object]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/base', '');
    asked.push(`${request.method} ${path}`);
    const [status, body] = answers(path, request.method);
    return new Response(JSON.stringify(body), { status });
  });
  return asked;
}

function show(what: React.ReactNode) {
  putBoot();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{what}</QueryClientProvider>);
}

test('a running operation shows how far it is', async () => {
  serve(() => [200, operation({ matched: 5000, done: 1200, started_at: '2026-01-01T00:00:00Z' })]);
  show(<OperationPage id="12" />);
  expect(await screen.findByRole('heading', { name: 'Retry: operation 12' })).toBeInTheDocument();
  expect(screen.getByText(/1,200 of 5,000/)).toBeInTheDocument();
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '24');
  expect(screen.getByText('the receiver is back')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'jobs with status failed, queue mail' })).toHaveAttribute(
    'href',
    '/jobs?status=failed&queue=mail',
  );
});

test('one that waits says where to look for why', async () => {
  serve(() => [200, operation({ status: 'pending', matched: null, started_at: null })]);
  show(<OperationPage id="12" />);
  expect(await screen.findByText(/Waits for a worker/)).toBeInTheDocument();
  expect(screen.getAllByRole('link', { name: 'job 77' })[0]).toHaveAttribute('href', '/jobs/77');
  expect(screen.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
});

test('what was left is listed with the reasons', async () => {
  const ended = { status: 'succeeded', finished_at: '2026-01-01T00:01:00Z' } as const;
  const counts = { matched: 10, done: 6, skipped: 1, failed: 1, allowed_actions: [] };
  serve((path) =>
    path.endsWith('items/')
      ? [200, page([{ job: 9, outcome: 'skipped', reason: 'it is succeeded; it cannot retry' }])]
      : [200, operation({ ...ended, ...counts })],
  );
  show(<OperationPage id="12" />);
  expect(await screen.findByText('it is succeeded; it cannot retry')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Download/ })).toBeEnabled();
  expect(screen.getByText('Left alone').nextElementSibling).toHaveTextContent('2');
  expect(screen.getByRole('button', { name: /Stop/ })).toHaveAttribute('title', 'It has ended');
});

test('it is stopped after a confirmation', async () => {
  const asked = serve(() => [200, operation({ matched: 10, done: 4 })]);
  show(<OperationPage id="12" />);
  await userEvent.click(await screen.findByRole('button', { name: /Stop/ }));
  expect(screen.getByRole('dialog')).toHaveTextContent('What it has done stays done: 4 so far');
  await userEvent.click(screen.getByRole('button', { name: 'Stop the operation' }));
  expect(asked).toContain('POST /api/operations/12/cancel/');
});

test('one that is not there says so', async () => {
  serve(() => [404, { code: 'not-found', title: 'Not Found', detail: 'no', status: 404 }]);
  show(<OperationPage id="12" />);
  expect(await screen.findByText('There is no operation 12')).toBeInTheDocument();
});

test('a failure of the server can be tried again', async () => {
  serve(() => [500, { code: 'internal-error', title: 'Oh', detail: 'broken', status: 500 }]);
  show(<OperationPage id="12" />);
  expect(await screen.findByRole('alert')).toHaveTextContent('broken');
  expect(screen.getByRole('button', { name: /again/ })).toBeEnabled();
});

test('the list says what each is for', async () => {
  serve(() => [200, page([operation(), operation({ id: 11, filter: {}, action: 'cancel' })])]);
  show(<OperationsPage />);
  const link = await screen.findByRole('link', { name: /Retry jobs with status failed/ });
  expect(link).toHaveAttribute('href', '/operations/12');
  expect(screen.getByRole('link', { name: /Cancel all jobs/ })).toBeInTheDocument();
});

test('an empty list says how to make the first', async () => {
  serve(() => [200, page([])]);
  show(<OperationsPage />);
  expect(await screen.findByText('Nobody has acted on many jobs yet')).toBeInTheDocument();
});
