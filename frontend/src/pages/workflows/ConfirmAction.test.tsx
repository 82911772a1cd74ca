import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { workflow } from '../../testing/samples';
import { putBoot, respond } from '../../testing/server';
import { ConfirmAction } from './ConfirmAction';

beforeEach(() => {
  putBoot();
  HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
});

function show(action: 'retry' | 'rerun', fromStep?: string) {
  const memory = memoryLocation({ path: '/workflows/7', record: true });
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Router hook={memory.hook}>
        <ConfirmAction
          workflow={workflow(7)}
          action={action}
          fromStep={fromStep}
          onClose={onClose}
        />
      </Router>
    </QueryClientProvider>,
  );
  return { history: memory.history, onClose };
}

test('a retry carries its reason', async () => {
  const requests = respond(200, workflow(7));
  const { onClose } = show('retry');
  await userEvent.type(screen.getByLabelText('Reason'), 'the feed is back');
  await userEvent.click(screen.getByRole('button', { name: 'Retry failed steps' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests[0]?.url).toContain('/api/workflows/7/retry/');
  expect(await requests[0]?.json()).toEqual({ reason: 'the feed is back' });
});

test('a rerun from a step names it, and leads to the new workflow', async () => {
  const requests = respond(201, workflow(8));
  const { history, onClose } = show('rerun', 'test');
  expect(screen.getByText(/“test” and everything below it run again/)).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('Reason'), 'new data');
  await userEvent.click(screen.getByRole('button', { name: 'Rerun' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(await requests[0]?.json()).toEqual({ reason: 'new data', from_steps: ['test'] });
  expect(history.at(-1)).toBe('/workflows/8');
});

test('a refusal stays in the dialog with the words of the server', async () => {
  respond(409, { code: 'conflict', title: 'No', detail: 'It is being cancelled.', status: 409 });
  const { onClose } = show('retry');
  await userEvent.click(screen.getByRole('button', { name: 'Retry failed steps' }));
  expect(await screen.findByText('It is being cancelled.')).toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
});
