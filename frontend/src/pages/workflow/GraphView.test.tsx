import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { graph } from '../../testing/samples';
import { GraphView } from './GraphView';
import * as layouts from './layout';

const parents = { build: [], test: ['build'], lint: ['build'], deploy: ['test', 'lint'] };
const name = (step: string) => new RegExp(`^${step} `);
const open = vi.fn();

async function show(rest = {}) {
  const view = render(<GraphView graph={graph(parents, rest)} step={null} onOpen={open} />);
  await screen.findByRole('button', { name: name('build') });
  return view;
}

beforeEach(() => {
  vi.restoreAllMocks();
  open.mockClear();
  Element.prototype.scrollIntoView = vi.fn();
});

test('a step shows its name and status, and is opened when pressed', async () => {
  await show({ build: { status: 'failed', attempts: 2 } });
  await userEvent.click(screen.getByRole('button', { name: /build Failed attempt 2\/3/ }));
  expect(open).toHaveBeenCalledWith('build');
});

test('statuses change without another layout', async () => {
  const spy = vi.spyOn(layouts, 'layout');
  const { rerender } = await show();
  expect(spy).toHaveBeenCalledTimes(1);
  const next = graph(parents, { build: { status: 'succeeded' }, test: { status: 'running' } });
  rerender(<GraphView graph={next} step={null} onOpen={open} />);
  expect(screen.getByRole('button', { name: /^test Running/ })).toBeInTheDocument();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(spy).toHaveBeenCalledTimes(1);
});

test('steps are read in the order in which they run, and one of them is reached by Tab', async () => {
  await show();
  const steps = screen.getAllByRole('button').filter((button) => button.dataset.key);
  expect(steps.map((button) => button.tabIndex)).toEqual([0, -1, -1, -1]);
  expect(steps[0]).toHaveAccessibleName(name('build'));
  expect(steps[3]).toHaveAccessibleName(name('deploy'));
});

test('arrow keys walk from step to step', async () => {
  await show();
  const build = screen.getByRole('button', { name: name('build') });
  build.focus();
  fireEvent.keyDown(build, { key: 'ArrowRight' });
  const child = document.activeElement as HTMLElement;
  expect(child).not.toBe(build);
  fireEvent.keyDown(child, { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(build);
});

test('the critical path is said in words, too', async () => {
  const shape = { ...graph(parents), critical_path: [1, 2] };
  render(<GraphView graph={shape} step={null} onOpen={open} />);
  await screen.findByRole('button', { name: /build on the critical path/ });
  expect(screen.getByRole('button', { name: name('lint') })).not.toHaveAccessibleName(/critical/);
});

test('a step is found by part of its name', async () => {
  await show();
  await userEvent.type(screen.getByRole('searchbox'), 'dep{Enter}');
  expect(screen.getByText('1 found')).toBeInTheDocument();
  expect(document.activeElement).toHaveAccessibleName(name('deploy'));
});
