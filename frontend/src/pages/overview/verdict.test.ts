import { queue, stats, worker } from '../../testing/samples';
import { findings } from './verdict';

test('a quiet system has no findings', () => {
  expect(findings(stats(), [queue('default')], [worker('a')])).toEqual([]);
});

test('failures of the last hour need a person, and come first', () => {
  const paused = queue('mail', { queued: 12, paused_at: '2026-01-01T00:00:00Z', paused_by: 'ada' });
  const found = findings(stats({ failedLastHour: 3 }), [paused], [worker('a')]);
  expect(found.map(({ key }) => key)).toEqual(['failed', 'queue mail']);
  expect(found[1]?.about).toContain('is paused by ada with 12 jobs waiting');
});

test('an empty queue that is paused is nobody’s trouble', () => {
  const paused = queue('mail', { paused_at: '2026-01-01T00:00:00Z' });
  expect(findings(stats(), [paused], [worker('a')])).toEqual([]);
});

test('a backlog that no live worker serves is urgent', () => {
  const waiting = queue('mail', { queued: 1 });
  const other = worker('a', { queues: ['default'] });
  const lost = worker('b', { lost: true });
  const found = findings(stats(), [waiting], [other, lost]);
  expect(found[0]).toMatchObject({ key: 'queue mail', urgent: true });
  expect(found[0]?.about).toContain('no live worker');
});

test('a queue is behind once its oldest job has waited a minute', () => {
  const at = (seconds: number) => queue('mail', { queued: 5, oldest_queued_seconds: seconds });
  expect(findings(stats(), [at(59)], [worker('a')])).toEqual([]);
  expect(findings(stats(), [at(61)], [worker('a')])[0]?.about).toContain('is behind');
});

test('many troubled queues are summed up', () => {
  const queues = Array.from({ length: 9 }, (_, n) => queue(`q${n}`, { queued: 1 }));
  const found = findings(stats(), queues, []);
  expect(found).toHaveLength(4);
  expect(found[3]?.what).toBe('6 more queues');
});
