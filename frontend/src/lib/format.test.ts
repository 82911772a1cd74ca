import { between, bounded, bytes, duration, plural, roughly } from './format';

test.each([
  [null, '–'],
  [0, '0 ms'],
  [0.41, '410 ms'],
  [0.9999, '1 s'],
  [3.14, '3.1 s'],
  [59.99, '1 m'],
  [72, '1 m 12 s'],
  [3661, '1 h 1 m'],
  [86_400, '1 d'],
  [-5, '0 ms'],
])('%s seconds read as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test('a count that stopped says so', () => {
  expect(bounded({ count: 10_000, exact: false })).toBe('10,000+');
  expect(bounded({ count: 1204, exact: true })).toBe('1,204');
});

test('one is not many', () => {
  expect(plural(1, 'job')).toBe('1 job');
  expect(plural(1200, 'job')).toBe('1,200 jobs');
});

test('clocks that went back show no time at all', () => {
  expect(between('2026-01-01T00:00:05Z', '2026-01-01T00:00:00Z')).toBe(0);
  expect(between(null, 5)).toBeNull();
});

test('sizes and rough spans are short', () => {
  expect(bytes(204_800)).toBe('200.0 KB');
  expect(roughly(12.4)).toBe('12 s');
  expect(roughly(190)).toBe('3 m 10 s');
  expect(roughly(659)).toBe('10 m');
});
