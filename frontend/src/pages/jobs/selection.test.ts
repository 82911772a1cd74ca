import { row } from '../../testing/samples';
import { allowing, extended, NOTHING, toggled, wholePage } from './selection';

const page = [9, 8, 7, 6, 5].map((id) => row(id));
const ids = (selected: typeof NOTHING) => [...selected.rows.keys()].sort();

test('a row is selected, and again not', () => {
  const one = toggled(NOTHING, 8, page);
  expect(ids(one)).toEqual([8]);
  expect(ids(toggled(one, 8, page))).toEqual([]);
});

test('a range goes from the last row to this one, in either direction', () => {
  expect(ids(extended(toggled(NOTHING, 8, page), 6, page))).toEqual([6, 7, 8]);
  expect(ids(extended(toggled(NOTHING, 6, page), 9, page))).toEqual([6, 7, 8, 9]);
});

test('a range without a beginning is one row', () => {
  expect(ids(extended(NOTHING, 7, page))).toEqual([7]);
});

test('rows of other pages stay selected', () => {
  const other = toggled(NOTHING, 3, [row(3)]);
  expect(ids(wholePage(other, page))).toEqual([3, 5, 6, 7, 8, 9]);
  expect(ids(wholePage(wholePage(other, page), page))).toEqual([3]);
});

test('taking one out of all that match leaves the rest of the page', () => {
  const all = { ...NOTHING, all: true };
  expect(toggled(all, 7, page).all).toBe(false);
  expect(ids(toggled(all, 7, page))).toEqual([5, 6, 8, 9]);
});

test('an action is counted for the rows that allow it', () => {
  const mixed = [row(1, { allowed_actions: ['retry'] }), row(2, { allowed_actions: ['cancel'] })];
  expect(allowing(wholePage(NOTHING, mixed), 'retry')).toBe(1);
});
