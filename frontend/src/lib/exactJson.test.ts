import { ExactNumber, parseExact, stringifyExact } from './exactJson';

test('a 64-bit integer keeps every digit', () => {
  const parsed = parseExact('{"id": 9223372036854775807}') as { id: ExactNumber };
  expect(parsed.id).toBeInstanceOf(ExactNumber);
  expect(String(parsed.id)).toBe('9223372036854775807');
});

test('ordinary numbers stay numbers', () => {
  expect(parseExact('[1, -2.5, 1e3, 9007199254740991]')).toEqual([1, -2.5, 1000, 9007199254740991]);
});

test('digits within text are left alone', () => {
  const text = String.raw`{"a \" 12345678901234567890": "12345678901234567890 \\"}`;
  expect(parseExact(text)).toEqual(JSON.parse(text));
});

test('what was parsed is written as it came', () => {
  const text = '{\n  "n": 12345678901234567890,\n  "list": [\n    0.1,\n    {}\n  ]\n}';
  expect(stringifyExact(parseExact(text))).toBe(text);
});

test('text that is not JSON is refused', () => {
  expect(() => parseExact('{"a": 12345678901234567890')).toThrow(SyntaxError);
});
