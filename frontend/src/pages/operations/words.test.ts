import { operation } from '../../testing/samples';
import { leftAlone, listed, pace, share, target } from './words';

test('what it is for is said in words', () => {
  expect(target(operation())).toBe('jobs with status failed, queue mail');
  expect(target(operation({ filter: {} }))).toBe('all jobs');
  expect(target(operation({ filter: { status: ['failed', 'cancelled'] } }))).toBe(
    'jobs with status failed or cancelled',
  );
  expect(target(operation({ filter: null, named: 1 }))).toBe('1 chosen job');
});

test('its filter leads to the list of jobs', () => {
  expect(listed(operation())).toBe('/jobs?status=failed&queue=mail');
  expect(listed(operation({ filter: null, named: 3 }))).toBeUndefined();
});

test('the share is known once it has begun', () => {
  expect(share(operation({ status: 'pending', matched: null }))).toBeUndefined();
  expect(share(operation({ matched: 200, done: 40, skipped: 9, failed: 1 }))).toBe(0.25);
  expect(share(operation({ matched: 10, done: 30 }))).toBe(1);
  expect(share(operation({ status: 'succeeded', matched: 0 }))).toBe(1);
});

test('the pace says how long it will take', () => {
  const running = operation({ started_at: '2026-01-01T00:00:00Z', matched: 300, done: 100 });
  expect(pace(running, Date.parse('2026-01-01T00:00:10Z'))).toEqual({ perSecond: 10, left: 20 });
  expect(pace(running, Date.parse('2026-01-01T00:00:00Z'))).toBeUndefined();
  expect(pace(operation({ status: 'succeeded' }), 0)).toBeUndefined();
});

test('what changed meanwhile is told only at the end', () => {
  const counts = { matched: 10, done: 6, skipped: 1, also_changed: 1 };
  expect(leftAlone(operation(counts))).toBe(0);
  const finished_at = '2026-01-01T00:01:00Z';
  expect(leftAlone(operation({ ...counts, status: 'succeeded', finished_at }))).toBe(2);
  expect(leftAlone(operation({ ...counts, status: 'cancelled', finished_at }))).toBe(0);
});
