import { clockChanges, clockOf, clockRule, weekdayOf } from './clocks';

const run = (local: string) => ({ at: local, local });

test('the run after the clocks changed says so, and which way', () => {
  const spring = [run('2026-03-28T03:00:00+01:00'), run('2026-03-29T03:00:00+02:00')];
  expect([...clockChanges(spring)]).toEqual([
    [1, 'clocks went forward, from UTC+01:00 to UTC+02:00'],
  ]);
  const autumn = [run('2026-10-31T03:00:00-04:00'), run('2026-11-01T03:00:00-05:00')];
  expect(clockChanges(autumn).get(1)).toContain('went back');
  expect(clockChanges([run('2026-01-01T00:00:00Z'), run('2026-01-02T00:00:00+00:00')]).size).toBe(
    0,
  );
});

test('times are shown as the clocks of the zone show them', () => {
  expect(clockOf('2026-03-29T03:00:00+02:00')).toBe('2026-03-29 03:00');
  expect(clockOf('2026-03-29T03:00:07.5+02:00')).toBe('2026-03-29 03:00:07');
  expect(weekdayOf('2026-03-29T00:30:00+14:00')).toBe('Sun');
});

test.each([
  ['0 3 * * *', 'Europe/Berlin', 'a time that is skipped fires at that moment'],
  ['*/5 3 * * *', 'Europe/Berlin', 'keeps to real time'],
  ['0 * * * *', 'Europe/Berlin', 'keeps to real time'],
  ['@daily', 'Europe/Berlin', 'a time that is skipped fires at that moment'],
  ['@hourly', 'Europe/Berlin', 'keeps to real time'],
])('%s in %s: %s', (cron, zone, words) => {
  expect(clockRule(cron, zone)).toContain(words);
});

test('in UTC and at intervals no clock changes anything', () => {
  expect(clockRule('0 3 * * *', 'UTC')).toBeUndefined();
  expect(clockRule(undefined, 'Europe/Berlin')).toBeUndefined();
});
