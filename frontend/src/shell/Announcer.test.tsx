import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { stats } from '../testing/samples';
import { putBoot, respond } from '../testing/server';
import { Announcer } from './Announcer';

test('changes are said at most every half minute, and not the number at first', async () => {
  vi.useFakeTimers();
  putBoot();
  respond(200, stats());
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const failed = (count: number) => {
    const sample = stats();
    sample.jobs.failed = { count, exact: true };
    client.setQueryData(['stats'], sample);
  };
  failed(3);
  render(
    <QueryClientProvider client={client}>
      <Announcer />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(10);
  expect(screen.getByRole('status')).toHaveTextContent('');
  act(() => failed(5));
  await pass(10);
  expect(screen.getByRole('status')).toHaveTextContent('Failed jobs rose to 5.');
  act(() => failed(4));
  await pass(10_000);
  expect(screen.getByRole('status')).toHaveTextContent('Failed jobs rose to 5.');
  await pass(25_000);
  expect(screen.getByRole('status')).toHaveTextContent('Failed jobs fell to 4.');
  vi.useRealTimers();
});
