import type { ScheduleDetail } from '../../api/schedules';
import { parseExact } from '../../lib/exactJson';
import { draftOf, EMPTY, timesOf, toBody } from './draft';

const saved = {
  name: 'nightly',
  task: 'shop.report',
  payload: parseExact('{"big": 12345678901234567890}'),
  cron: null,
  interval_seconds: 90,
  timezone: 'Europe/Berlin',
  queue: null,
  priority: null,
  missed: 'all',
  missed_limit: 7,
  overlap: 'skip',
} as unknown as ScheduleDetail;

test('a schedule that is not touched is sent as it was, its numbers exact', () => {
  const body = toBody(draftOf(saved)).text ?? '';
  expect(body).toContain('12345678901234567890');
  const { payload: _, ...rest } = JSON.parse(body);
  const { payload: __, ...before } = saved;
  expect(rest).toEqual(before);
});

test('an expression takes the place of an interval, and the other way round', () => {
  const asCron = JSON.parse(
    toBody({ ...draftOf(saved), by: 'cron', cron: ' 0 3 * * * ' }).text ?? '',
  );
  expect([asCron.cron, asCron.interval_seconds]).toEqual(['0 3 * * *', null]);
  const asInterval = JSON.parse(toBody({ ...EMPTY, by: 'interval' }).text ?? '');
  expect([asInterval.cron, asInterval.interval_seconds]).toEqual([null, 300]);
});

test('what is no JSON is said before anything is sent', () => {
  expect(toBody({ ...EMPTY, payload: '{' }).error).toContain('is not JSON');
});

test('what is no number is left for the server to refuse', () => {
  const body = JSON.parse(
    toBody({ ...EMPTY, by: 'interval', interval_seconds: 'often' }).text ?? '',
  );
  expect(body.interval_seconds).toBe('often');
  expect(timesOf({ ...EMPTY, by: 'interval', interval_seconds: 'often' })).toEqual({});
});

test('the times to preview are those that are chosen', () => {
  expect(timesOf({ ...EMPTY, timezone: 'UTC' })).toEqual({ cron: '0 3 * * *', timezone: 'UTC' });
  expect(timesOf({ ...EMPTY, by: 'interval' })).toEqual({ interval_seconds: 300 });
});
