import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { failure } from '../../testing/samples';
import { putBoot, respond } from '../../testing/server';
import { type Action, DecisionDialog, decisionOf } from './DecisionDialog';

function show(action: Action, group = failure('no', { note: 'known' })) {
  putBoot();
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DecisionDialog group={group} action={action} onClose={onClose} />
    </QueryClientProvider>,
  );
  return onClose;
}

test('an ignored group is sent with its number and a note that was changed', async () => {
  const requests = respond(200, failure('no'));
  const onClose = show('ignore');
  await userEvent.type(screen.getByLabelText('Until so many more failures'), '20');
  await userEvent.type(screen.getByLabelText('Note'), ' cause');
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }));
  expect(requests[0]?.method).toBe('PATCH');
  expect(requests[0]?.url).toContain(`/base/api/failures/${'f'.repeat(32)}/`);
  expect(await requests[0]?.json()).toEqual({
    status: 'ignored',
    ignore_for: 20,
    note: 'known cause',
  });
  expect(onClose).toHaveBeenCalled();
});

test('what is no number is said at its field, and is not sent', async () => {
  const requests = respond(200, failure('no'));
  show('ignore');
  const field = screen.getByLabelText('Until so many more failures');
  await userEvent.type(field, '-3');
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }));
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(requests).toHaveLength(0);
});

test('a refusal stays in the dialog with the words of the server', async () => {
  respond(403, { code: 'permission-denied', title: 'No', detail: 'Not you.', status: 403 });
  const onClose = show('resolve');
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  expect(await screen.findByText('Not you.')).toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
});

test('a note that was not touched is not sent with a decision, but can be emptied', () => {
  expect(decisionOf('resolve', 'a', 'a', '')).toEqual({ status: 'resolved' });
  expect(decisionOf('note', '', 'a', '')).toEqual({ note: '' });
  expect(decisionOf('open', 'b', 'a', '7')).toEqual({ status: 'open', note: 'b' });
  expect(decisionOf('ignore', 'a', 'a', '0')).toBeUndefined();
});
