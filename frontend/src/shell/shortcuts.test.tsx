import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prefer } from '../lib/preferences';
import { shortcuts, useShortcut, useShortcutKeys } from './shortcuts';

const single = vi.fn();
const sequence = vi.fn();

function Page() {
  useShortcutKeys();
  useShortcut('r', 'Retry', single);
  useShortcut('g j', 'Jobs', sequence);
  return <input aria-label="Text" />;
}

beforeEach(() => {
  vi.clearAllMocks();
  prefer({ shortcuts: true });
  render(<Page />);
});

test('a key and a sequence of keys do what they are for', async () => {
  await userEvent.keyboard('rgj');
  expect(single).toHaveBeenCalledTimes(1);
  expect(sequence).toHaveBeenCalledTimes(1);
});

test('keys are text inside a field', async () => {
  await userEvent.type(screen.getByLabelText('Text'), 'rgj');
  expect(single).not.toHaveBeenCalled();
  expect(sequence).not.toHaveBeenCalled();
});

test('keys with a modifier belong to the browser', async () => {
  await userEvent.keyboard('{Control>}r{/Control}');
  expect(single).not.toHaveBeenCalled();
});

test('shortcuts can be switched off', async () => {
  prefer({ shortcuts: false });
  await userEvent.keyboard('rgj');
  expect(single).not.toHaveBeenCalled();
});

test('shortcuts of what is no longer there are gone', () => {
  expect(shortcuts().map(({ keys }) => keys)).toEqual(['r', 'g j']);
});
