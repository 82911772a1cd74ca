import { alone, type ChartData, isEmpty, marks, stacked, summary, timesOf } from './series';

const chart = (...points: (number | null)[][]): ChartData => ({
  times: points[0]?.map((_, step) => step) ?? [],
  stepSeconds: 60,
  series: points.map((own, n) => ({ name: `s${n}`, tone: 'running', points: own })),
});

test('stacked bars add up from the last one, and a gap stays a gap', () => {
  expect(stacked(chart([1, null, 3], [10, 20, null]).series)).toEqual([
    [11, null, 3],
    [10, 20, null],
  ]);
});

test('a chart with nothing known is empty, one with zeros is not', () => {
  expect(isEmpty(chart([null, null]))).toBe(true);
  expect(isEmpty(chart([null], [0]))).toBe(false);
});

test('in words it is the latest, the greatest, and where it is going', () => {
  expect(summary(chart([1, 1, 5, 9, null], [0, 0, 0, 0, 0]), String)).toBe(
    's0: latest 9, most 9, rising. s1: none',
  );
  expect(summary(chart([9, 9, 1, 1]), String)).toContain('falling');
  expect(summary(chart([5, 5, 5, 5]), String)).toContain('steady');
  expect(summary(chart([null]), String)).toBe('');
});

test('steps begin where the server says', () => {
  expect(timesOf('1970-01-01T00:01:00Z', 30, 3)).toEqual([60, 90, 120]);
});

test('marks a day apart are days', () => {
  expect(marks([0], 86_400)[0]).toMatch(/Thu|Wed/);
  expect(marks([0], 3600)[0]).toMatch(/^\d\d:\d\d$/);
});

test('a value with none on either side is alone', () => {
  expect(alone([3, null, 1, 2, null, undefined, 0])).toEqual([0, 6]);
  expect(alone([])).toEqual([]);
});
