import { job } from '../../testing/samples';
import { refusal, why } from './why';

const now = Date.parse('2026-01-01T00:01:00Z');

test('a job in a paused queue says so', () => {
  expect(why(job(1, { queue_paused: true, queue: 'mail' }), now)).toContain('mail is paused');
});

test('a failed attempt says when the next one is due', () => {
  const waiting = job(1, {
    status: 'scheduled',
    attempts: 2,
    available_at: '2026-01-01T00:01:14Z',
  });
  expect(why(waiting, now)).toBe('Attempt 2 of 3 failed; the next one is due in 14 s.');
});

test('a worker whose lease ran out has stopped responding', () => {
  const lease = { worker: 'web-1', expires_at: '2026-01-01T00:00:50Z' };
  expect(why(job(1, { status: 'running', lease }), now)).toContain('stopped responding 10 s ago');
});

test('a permanent failure is told from spent attempts', () => {
  expect(why(job(1, { status: 'failed', attempts: 1 }), now)).toContain('for good');
  expect(why(job(1, { status: 'failed', attempts: 3 }), now)).toContain('all of its 3 attempts');
});

test('an action that is not allowed says why', () => {
  const done = job(1, { status: 'succeeded', allowed_actions: [] });
  expect(refusal(done, 'cancel')).toContain('not ended');
  expect(refusal(job(1, { allowed_actions: ['cancel'] }), 'cancel')).toBeUndefined();
});

test('a running job is asked to stop only once', () => {
  const asked = job(1, { status: 'running', cancel_requested_at: '2026-01-01T00:00:59Z' });
  expect(refusal(asked, 'cancel')).toContain('already');
});
