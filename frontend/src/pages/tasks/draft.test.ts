import { toBody } from './draft';

test('numbers of the payload go out as they were typed', () => {
  const { text } = toBody({ task: 'a', payload: '{"id": 9223372036854775807}' });
  expect(text?.replaceAll(/\s/g, '')).toBe('{"task":"a","payload":{"id":9223372036854775807}}');
});

test('a payload that is not JSON is refused here', () => {
  expect(toBody({ task: 'a', payload: '{' }).error).toMatch(/^is not JSON/);
});

test('empty fields are not sent, and numbers are numbers', () => {
  const { text } = toBody({ task: 'a', queue: ' ', priority: '5', delay_seconds: 'soon' });
  expect(JSON.parse(text ?? '')).toEqual({ task: 'a', priority: 5, delay_seconds: 'soon' });
});
