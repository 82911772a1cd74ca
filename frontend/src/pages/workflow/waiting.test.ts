import { graph } from '../../testing/samples';
import { around, waitsFor } from './waiting';

const now = Date.parse('2026-01-01T00:00:12Z');
const steps = { lint: [], build: [], test: [], deploy: ['lint', 'build', 'test'] };

function sentence(rest: Parameters<typeof graph>[1], step = 'deploy'): string {
  const found = around(graph(steps, rest), step);
  return found ? waitsFor(found, now) : 'no such step';
}

test('a blocked step names the parents that have yet to end, and how they do', () => {
  const text = sentence({
    lint: { status: 'succeeded' },
    build: { status: 'running', started_at: '2026-01-01T00:00:00Z' },
    test: { status: 'scheduled', attempts: 1 },
    deploy: { status: 'blocked', waits_for: 2 },
  });
  expect(text).toBe('It waits for 2 of 3 steps: build (running for 12 s), test (retrying).');
});

test('parents that are not at hand are counted', () => {
  const text = sentence({ deploy: { status: 'blocked', waits_for: 480 } });
  expect(text).toContain(
    '480 of 480 steps: lint (queued), build (queued), test (queued), 477 more',
  );
});

test('a step that is not blocked waits for no other', () => {
  expect(sentence({ deploy: { status: 'queued' } })).toBe('');
  expect(around(graph(steps), 'nowhere')).toBeUndefined();
});
