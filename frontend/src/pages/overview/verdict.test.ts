import { queue, stats, worker } from '../../testing/samples';
import { findings as found } from './verdict';

type Seen = Parameters<typeof found>[0];
const NOW = Date.parse('2026-01-01T00:10:00Z');

function findings(
  stats: Seen['stats'],
  queues: Seen['queues'] = [],
  workers: Seen['workers'] = [],
  schedules: Seen['schedules'] = [],
) {
  return found({ stats, queues, workers, schedules, now: NOW });
}

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

test('jobs whose worker is gone and that nobody rescues are urgent', () => {
  const stalled = { ...stats(), stalled: { count: 2, exact: true } };
  expect(findings(stalled, [], [worker('a')])[0]).toMatchObject({ key: 'stalled', urgent: true });
});

test('a schedule is late a minute after its time, and one that was switched off says why', () => {
  const schedule = (id: number, rest: object) =>
    ({
      id,
      name: `s${id}`,
      enabled: true,
      disabled_reason: '',
      next_run_at: null,
      ...rest,
    }) as Seen['schedules'][number];
  const schedules = [
    schedule(1, { next_run_at: '2026-01-01T00:09:30Z' }),
    schedule(2, { next_run_at: '2026-01-01T00:07:00Z' }),
    schedule(3, { enabled: false }),
    schedule(4, { enabled: false, disabled_reason: 'its task is gone' }),
  ];
  const said = findings(stats(), [], [worker('a')], schedules);
  expect(said.map(({ what, about }) => `${what} ${about}`)).toEqual([
    's2 should have run 3 m ago',
    's4 is switched off: its task is gone',
  ]);
});

test('different versions at work are told, lost workers aside', () => {
  const old = worker('b', { version: '0.0.9' });
  const [said] = findings(stats(), [], [worker('a'), old]);
  expect(said?.about).toContain('0.0.9, 0.1.0');
  expect(findings(stats(), [], [worker('a'), { ...old, lost: true }])[0]?.key).toBe('lost');
});
