import { event } from '../../testing/samples';
import { reasonOf, spans } from './timeline';

const life = [
  event(1, 'enqueued', 'queued', 0),
  event(2, 'claimed', 'running', 2, { from_status: 'queued', attempt: 1, worker: 'a' }),
  event(3, 'failed', 'scheduled', 3, {
    from_status: 'running',
    attempt: 1,
    data: { error: { type: 'ValueError', message: 'bad' } },
  }),
  event(4, 'promoted', 'queued', 8, { from_status: 'scheduled', attempt: 1 }),
  event(5, 'claimed', 'running', 9, { from_status: 'queued', attempt: 2, worker: 'b' }),
  event(6, 'cancel_requested', 'running', 10, { from_status: 'running' }),
];

test('a life is told in spans: waits, runs with their outcome, and the one that goes on', () => {
  const found = spans([...life].reverse());
  expect(found.map(({ status, outcome, worker }) => [status, outcome, worker])).toEqual([
    ['queued', null, ''],
    ['running', 'failed', 'a'],
    ['retrying', null, ''],
    ['queued', null, ''],
    ['running', null, 'b'],
  ]);
  expect(found[1]?.note).toBe('ValueError: bad');
  expect(found.at(-1)?.to).toBeNull();
});

test('no span is negative when a clock went back', () => {
  const back = [
    event(1, 'enqueued', 'queued', 5),
    event(2, 'claimed', 'running', 4, { from_status: 'queued' }),
  ];
  const [first] = spans(back);
  expect(first?.to).toBe(first?.from);
});

test('a finished job has no span that goes on', () => {
  const done = [
    ...life.slice(0, 2),
    event(7, 'succeeded', 'succeeded', 4, { from_status: 'running' }),
  ];
  expect(spans(done).every(({ to }) => to !== null)).toBe(true);
});

test('the words of a person are the reason when there is no error', () => {
  expect(
    reasonOf(event(1, 'cancelled', 'cancelled', 0, { data: { actor: 'ada', reason: 'typo' } })),
  ).toBe('typo');
});
