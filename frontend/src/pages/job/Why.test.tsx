import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { job } from '../../testing/samples';
import { putBoot, respond } from '../../testing/server';
import { Why } from './Why';

function show() {
  putBoot();
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <Why job={job(7)} />
    </QueryClientProvider>,
  );
}

const reason = (code: string, summary: string) => ({ code, summary, facts: {} });

test('the first reason is the line, the others stand below it', async () => {
  const reasons = [
    reason('queue-paused', 'It is paused by <b>ada</b>.'),
    reason('x', 'No worker.'),
  ];
  const requests = respond(200, { job: 7, status: 'queued', at: '', reasons });
  show();
  expect(await screen.findByText('It is paused by <b>ada</b>.')).toBeInTheDocument();
  expect(screen.getByRole('list', { name: 'Further reasons' })).toHaveTextContent('No worker.');
  expect(requests[0]?.url).toContain('/base/api/jobs/7/why/');
});

test('without an answer there is no line', async () => {
  respond(503, { code: 'query-timeout', title: 'x', detail: 'slow', status: 503 });
  show();
  await waitFor(() => expect(screen.queryByRole('paragraph')).toBeNull());
});
