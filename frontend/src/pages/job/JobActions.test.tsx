import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { job } from '../../testing/samples';
import { putBoot, respond } from '../../testing/server';
import { JobActions } from './JobActions';

function show(given = job(7, { status: 'failed', allowed_actions: ['retry'] })) {
  putBoot();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <JobActions job={given} />
    </QueryClientProvider>,
  );
}

test('a retry is confirmed with its reason, and carries the CSRF token', async () => {
  const requests = respond(200, job(7));
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await userEvent.type(screen.getByLabelText('Reason'), 'fixed');
  const [, confirm] = screen.getAllByRole('button', { name: 'Retry' });
  if (confirm) await userEvent.click(confirm);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.url).toContain('/base/api/jobs/7/retry/');
  expect(requests[0]?.headers.get('X-CSRFTOKEN')).toBe('token');
  expect(await requests[0]?.json()).toEqual({ reason: 'fixed' });
});

test('a refused action says why and does nothing', async () => {
  show();
  const cancel = screen.getByRole('button', { name: 'Cancel' });
  expect(cancel).toHaveAttribute('aria-disabled', 'true');
  expect(cancel).toHaveAttribute('title', expect.stringContaining('not ended'));
  await userEvent.click(cancel);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a conflict stays in the dialog with the words of the server', async () => {
  respond(409, { code: 'illegal-transition', title: 'No', detail: 'It is running.', status: 409 });
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  const [, confirm] = screen.getAllByRole('button', { name: 'Retry' });
  if (confirm) await userEvent.click(confirm);
  expect(await screen.findByText('It is running.')).toBeInTheDocument();
});
