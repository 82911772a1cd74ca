import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { failure } from '../../testing/samples';
import { putBoot, respond } from '../../testing/server';
import { FailuresPage } from './FailuresPage';

const page = (...results: unknown[]) => ({ results, next: null, previous: null });

function show(address = '/failures') {
  putBoot();
  history.replaceState(null, '', address);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <FailuresPage />
    </QueryClientProvider>,
  );
}

test('while it loads, and only then, a skeleton stands in for the list', async () => {
  respond(200, page());
  show();
  expect(screen.getByLabelText('Loading')).toBeInTheDocument();
  expect(await screen.findByText('Nothing needs you')).toBeInTheDocument();
  expect(screen.queryByLabelText('Loading')).toBeNull();
});

test('a row leads to its group and to its jobs, and its text is no markup', async () => {
  respond(
    200,
    page(failure('<img src=x onerror=alert(1)>', { retrying: { count: 1000, exact: false } })),
  );
  show();
  const link = await screen.findByRole('link', { name: 'Declined shop.errors' });
  expect(link).toHaveAttribute('href', `/failures/${'f'.repeat(32)}`);
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeInTheDocument();
  expect(document.querySelector('main img')).toBeNull();
  expect(screen.getByRole('link', { name: '2 failed' })).toHaveAttribute(
    'href',
    `/jobs?error_fingerprint=${'f'.repeat(32)}&status=failed`,
  );
  expect(screen.getByRole('link', { name: '1,000+ retrying' })).toBeInTheDocument();
  expect(screen.getByRole('img', { name: /^5 times in the last 24 hours/ })).toBeInTheDocument();
});

test('what sets a group apart stands beside it', async () => {
  respond(
    200,
    page(
      failure('a', { fingerprint: 'a', is_new: true, first_release: 'v2' }),
      failure('b', { fingerprint: 'b', reopened_at: '2026-01-01T00:00:00Z' }),
      failure('c', { fingerprint: 'c', status: 'ignored', ignore_until_count: 25 }),
    ),
  );
  show('/failures?status=all');
  const rows = (await screen.findAllByRole('row')).slice(1) as HTMLElement[];
  expect(within(rows[0] as HTMLElement).getByText('New in v2')).toBeInTheDocument();
  expect(within(rows[1] as HTMLElement).getByText('Reopened')).toBeInTheDocument();
  expect(within(rows[2] as HTMLElement).getByText('Ignored')).toBeInTheDocument();
  expect(within(rows[2] as HTMLElement).getByText('for 20 more')).toBeInTheDocument();
});

test('a filter that leaves nothing is named, and can be cleared', async () => {
  respond(200, page());
  show('/failures?q=Declined&queue=mail');
  expect(
    await screen.findByText('Nothing open has exception “Declined” and queue “mail”.'),
  ).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Clear filters' })).toBeInTheDocument();
});

test('a list that cannot be read says why and offers another try', async () => {
  respond(503, { code: 'query-timeout', title: 'Too slow', detail: 'x', status: 503 });
  show();
  expect(await screen.findByText(/This question took too long/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
});
