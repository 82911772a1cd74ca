import { fromAddress } from './address';
import { classOf, trend } from './words';

test('a class is told from its module', () => {
  expect(classOf('shop.errors.Declined')).toEqual({ name: 'Declined', module: 'shop.errors' });
  expect(classOf('ValueError')).toEqual({ name: 'ValueError', module: '' });
  expect(classOf('odd.')).toEqual({ name: 'odd.', module: '' });
});

test('a trend says how often, and when most', () => {
  expect(trend([0, 0])).toBe('not seen in the last 24 hours');
  expect(trend([1, 5, 0])).toBe(
    '6 times in the last 24 hours, 5 of them in the busiest hour, 1 hour ago',
  );
  expect(trend([0, 1])).toMatch(/^1 time .* this hour$/);
});

test('the address asks for open groups unless it says otherwise', () => {
  const read = (text: string) => fromAddress(new URLSearchParams(text));
  expect(read('')).toEqual({ status: ['open'] });
  expect(read('status=nonsense')).toEqual({ status: ['open'] });
  expect(read('status=resolved&q= Declined ')).toEqual({ status: ['resolved'], q: 'Declined' });
  expect(read('status=all&task=')).toEqual({});
});
