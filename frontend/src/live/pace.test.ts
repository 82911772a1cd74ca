import { interval, noteInput, patience, pause } from './pace';

afterEach(() => {
  vi.useRealTimers();
  noteInput();
});

test('the server says how often is often enough', () => {
  noteInput();
  expect(pause(2_000)).toBe(2_000);
  expect(pause(30_000)).toBe(30_000);
});

test('without input for two minutes updates are rare', () => {
  vi.useFakeTimers();
  noteInput();
  vi.advanceTimersByTime(121_000);
  expect(pause(2_000)).toBe(15_000);
  expect(pause(30_000)).toBe(30_000);
  expect(interval(0, false)).toBe(15_000);
});

test('outages double the wait up to half a minute, and not all pages come at once', () => {
  for (const [misses, most] of [
    [1, 2_000],
    [2, 4_000],
    [5, 30_000],
    [9, 30_000],
  ] as const) {
    const waits = Array.from({ length: 50 }, () => patience(misses));
    expect(Math.max(...waits)).toBeLessThanOrEqual(most);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(most * 0.75);
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});

test('a server that asks for patience gets it', () => {
  expect(patience(1, 60_000)).toBe(60_000);
});
