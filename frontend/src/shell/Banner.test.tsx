import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { connection } from '../api/connection';
import { Banner } from './Banner';

const banner = () => screen.queryByText('Connection lost.');

afterEach(() => {
  vi.useRealTimers();
});

test('one missed round of polls is no outage, two are, and one good answer ends it', () => {
  vi.useFakeTimers();
  connection.answered(null);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Banner />
    </QueryClientProvider>,
  );
  act(() => connection.missed());
  act(() => connection.missed());
  expect(banner()).toBeNull();
  vi.setSystemTime(Date.now() + 2_000);
  act(() => connection.missed());
  expect(banner()).toBeInTheDocument();
  act(() => connection.answered(null));
  expect(banner()).toBeNull();
});
