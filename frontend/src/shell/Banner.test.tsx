import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { connection } from '../api/connection';
import { Banner } from './Banner';

const banner = () => screen.queryByText('Connection lost.');

test('one missed poll is no outage, two are, and one good answer ends it', () => {
  connection.answered(null);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Banner />
    </QueryClientProvider>,
  );
  act(() => connection.missed());
  expect(banner()).toBeNull();
  act(() => connection.missed());
  expect(banner()).toBeInTheDocument();
  act(() => connection.answered(null));
  expect(banner()).toBeNull();
});
