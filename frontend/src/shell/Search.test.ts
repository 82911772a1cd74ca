import { target } from './Search';

test.each([
  ['12', '/jobs/12'],
  [' #9007199254740991 ', '/jobs/9007199254740991'],
  ['Value Error', '/jobs?q=Value%20Error'],
  ['12 monkeys', '/jobs?q=12%20monkeys'],
  ['  ', undefined],
])('%s leads to %s', (text, place) => {
  expect(target(text)).toBe(place);
});
