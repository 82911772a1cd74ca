import { active, changed, fromAddress, orderingsFor } from './filters';

const address = (text: string) => new URLSearchParams(text);

test('the address is the question', () => {
  expect(
    fromAddress(
      address('status=failed&status=cancelled&queue=mail&priority=-5&ordering=-finished_at'),
    ),
  ).toEqual({
    status: ['failed', 'cancelled'],
    queue: 'mail',
    priority: -5,
    ordering: '-finished_at',
  });
});

test('what an address cannot mean is left out', () => {
  expect(fromAddress(address('status=happy&priority=much&ordering=available_at&queue='))).toEqual(
    {},
  );
});

test('an order that a status does not have goes with the change of status', () => {
  const next = changed(address('status=scheduled&ordering=available_at&cursor=x'), {
    status: 'failed',
  });
  expect(next.toString()).toBe('status=failed');
});

test('each status has the orders that an index serves', () => {
  expect(orderingsFor(['running'])).toEqual(['-id', 'id']);
  expect(orderingsFor(['queued'])).toContain('-priority');
  expect(orderingsFor(['failed', 'queued'])).toEqual(['-id', 'id']);
});

test('filters that are set are listed, the status apart', () => {
  expect(active(fromAddress(address('status=failed&task=a.b&q=x')))).toEqual([
    ['task', 'a.b'],
    ['q', 'x'],
  ]);
});
