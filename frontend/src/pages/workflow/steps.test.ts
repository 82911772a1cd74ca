import type { StepRow } from '../../api/workflows';
import { tabOf } from './addresses';
import { note, stepQuery } from './StepsTab';

const row = (rest: Partial<StepRow>) =>
  ({ status: 'blocked', waits_for: 1, waits_on: null, error_preview: '', ...rest }) as StepRow;

test('a blocked row names the first step it waits for and counts the others', () => {
  expect(note(row({ waits_on: 'build' }))).toBe('waits for build');
  expect(note(row({ waits_on: 'build', waits_for: 3 }))).toBe('waits for build and 2 more');
});

test('a row that ended badly says why, one that succeeded says nothing', () => {
  const error_preview = "not run: step 'lint' failed";
  expect(note(row({ status: 'cancelled', error_preview }))).toBe(error_preview);
  expect(note(row({ status: 'succeeded', error_preview }))).toBe('');
});

test('filters of the steps and the view come from the address', () => {
  const params = new URLSearchParams('tab=steps&status=failed&q=%20load%20');
  expect(stepQuery(params)).toEqual({ status: ['failed'], q: 'load' });
  expect(tabOf(params)).toBe('steps');
  expect(tabOf(new URLSearchParams('tab=nonsense'))).toBe('graph');
});
