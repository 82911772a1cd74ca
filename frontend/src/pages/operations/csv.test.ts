import { toCsv } from './csv';

test('text with separators is quoted', () => {
  expect(toCsv([[7, 'a, "b"', 'plain']])).toBe('7,"a, ""b""",plain\r\n');
});

test('text never becomes a formula', () => {
  expect(toCsv([['=1+1', '-2', -2]])).toBe("'=1+1,'-2,-2\r\n");
});
