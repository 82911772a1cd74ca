import { putBoot, respond } from '../testing/server';
import { api, cursorOf, read } from './client';
import { connection } from './connection';
import { ApiError } from './problem';

beforeEach(putBoot);

const ask = () =>
  read(
    api().GET('/api/jobs/', {
      params: { query: { status: ['failed', 'queued'] } },
      parseAs: 'text',
    }),
  );

test('requests go below the base, repeated parameters one by one', async () => {
  const requests = respond(200, { results: [] });
  await ask();
  expect(requests[0]?.url).toMatch(/\/base\/api\/jobs\/\?status=failed&status=queued$/);
  expect(requests[0]?.headers.has('X-CSRFTOKEN')).toBe(false);
});

test('a problem names its fields', async () => {
  const errors = [{ field: 'payload.a', code: 'type', detail: 'must be a number' }];
  respond(422, { code: 'validation', title: 'No', detail: 'payload.a: …', status: 422, errors });
  const error: ApiError = await ask().then(
    () => {
      throw new Error('it was answered');
    },
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error.field('payload')).toBe('payload.a: must be a number');
  expect(error.field('task')).toBeUndefined();
});

test('no answer is an outage', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const before = connection.get().misses;
  const error: ApiError = await ask().then(
    () => {
      throw new Error('it was answered');
    },
    (thrown) => thrown,
  );
  expect(error.code).toBe('unreachable');
  expect(connection.get().misses).toBe(before + 1);
});

test('an ended session is noticed', async () => {
  respond(403, { code: 'not-authenticated', title: 'No', detail: 'Log in.', status: 403 });
  await ask().catch(() => {});
  expect(connection.get().signedOut).toBe(true);
});

test('the cursor of a page is taken out of its URL', () => {
  expect(cursorOf('http://host/api/jobs/?status=failed&cursor=abc')).toBe('abc');
  expect(cursorOf(null)).toBeNull();
});
