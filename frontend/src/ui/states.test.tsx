import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiError } from '../api/problem';
import { Loaded } from './states';

const problem = (code: string, status = 422) =>
  new ApiError(status, {
    type: '',
    title: 'The request is not valid',
    status,
    code,
    detail: 'queue: bad',
  });

const show = (of: { data?: string; error?: Error | null; refetch?: () => void }) =>
  render(
    <Loaded of={{ data: of.data, error: of.error ?? null, refetch: of.refetch ?? (() => {}) }}>
      {(data) => <p>{data}</p>}
    </Loaded>,
  );

test('the first answer is waited for with a skeleton', () => {
  show({});
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
});

test('old data stays while a later answer fails', () => {
  show({ data: 'old', error: problem('validation') });
  expect(screen.getByText('old')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a problem shows the words of the server and can be tried again', async () => {
  const refetch = vi.fn();
  show({ error: problem('validation'), refetch });
  expect(screen.getByRole('alert')).toHaveTextContent('queue: bad');
  expect(screen.getByRole('alert')).toHaveTextContent('422 · validation');
  await userEvent.click(screen.getByRole('button', { name: /again/ }));
  expect(refetch).toHaveBeenCalledTimes(1);
});

test('a question that took too long is answered with advice', () => {
  show({ error: problem('query-timeout', 503) });
  expect(screen.getByRole('alert')).toHaveTextContent('add a status, queue or task');
});
