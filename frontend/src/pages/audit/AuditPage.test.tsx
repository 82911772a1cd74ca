import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { boot } from '../../boot';
import { putBoot, respond } from '../../testing/server';
import { AuditPage } from './AuditPage';
import { pageOf } from './address';
import { changes } from './changes';

putBoot();

const ENTRY = {
  id: 1,
  at: '2026-01-01T00:00:00Z',
  actor: 'ada',
  via: 'api',
  action: 'queue.pause',
  target: 'mail',
  reason: '<b>upgrade</b>',
  before: { paused_by: '' },
  after: { paused_by: 'ada' },
  request_id: 'request-1',
};

function show(path = '/audit') {
  const { hook, searchHook } = memoryLocation({ path });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <Router hook={hook} searchHook={searchHook}>
        <AuditPage />
      </Router>
    </QueryClientProvider>,
  );
}

test('an entry says who changed what, from what to what, and why', async () => {
  respond(200, { results: [ENTRY], next: null, previous: null });
  show();
  expect(await screen.findByText('queue.pause')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'mail' })).toHaveAttribute('href', '/queues/mail');
  expect(screen.getByText('<b>upgrade</b>')).toBeInTheDocument();
  expect(screen.getByText('paused_by').closest('li')).toHaveTextContent('paused_by ada');
});

test('the address asks for some of the entries', async () => {
  const requests = respond(200, { results: [], next: null, previous: null });
  show('/audit?actor=ada&action=queue.pause');
  expect(await screen.findByText('No entry matches')).toBeInTheDocument();
  expect(requests[0]?.url).toMatch(/api\/audit\/\?actor=ada&action=queue\.pause$/);
});

test('who may not look is told which permission is missing, and nothing is asked for', () => {
  const requests = respond(200, {});
  boot().permissions.view_audit = false;
  show();
  boot().permissions.view_audit = true;
  expect(screen.getByText(/qforge\.view_audit/)).toBeInTheDocument();
  expect(requests).toHaveLength(0);
});

test('only what says something is shown of a change', () => {
  expect(changes({ a: '', b: 1, c: [1] }, { a: null, b: 2 })).toEqual([
    { name: 'b', before: '1', after: '2' },
    { name: 'c', before: '[ 1 ]', after: undefined },
  ]);
  expect(changes(null, { job: 4 })).toEqual([{ name: 'job', before: undefined, after: '4' }]);
});

test('a target leads to its page, where it has one', () => {
  expect(pageOf('job.retry', '12')).toBe('/jobs/12');
  expect(pageOf('operation.create', '3')).toBeUndefined();
});
