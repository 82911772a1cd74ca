import { delay, noteInput, setBusy } from './live';

afterEach(() => {
  vi.useRealTimers();
  setBusy(false);
  noteInput();
});

test('polls are quick while something runs and calm otherwise', () => {
  noteInput();
  setBusy(true);
  expect(delay(0, false)).toBe(2_000);
  setBusy(false);
  expect(delay(0, false)).toBe(5_000);
  expect(delay(0, true)).toBe(15_000);
});

test('without input for two minutes polls are rare', () => {
  vi.useFakeTimers();
  noteInput();
  setBusy(true);
  vi.advanceTimersByTime(121_000);
  expect(delay(0, false)).toBe(15_000);
});

test('outages double the delay up to half a minute', () => {
  expect([1, 2, 3, 4, 5, 9].map((misses) => delay(misses, false))).toEqual([
    2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});
