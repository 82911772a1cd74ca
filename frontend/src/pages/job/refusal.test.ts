import { boot } from '../../boot';
import { job } from '../../testing/samples';
import { putBoot } from '../../testing/server';
import { refusal } from './refusal';

putBoot();

test('an action that is not allowed says why', () => {
  const done = job(1, { status: 'succeeded', allowed_actions: [] });
  expect(refusal(done, 'cancel')).toContain('not ended');
  expect(refusal(job(1, { allowed_actions: ['cancel'] }), 'cancel')).toBeUndefined();
});

test('a running job is asked to stop only once', () => {
  const asked = job(1, { status: 'running', cancel_requested_at: '2026-01-01T00:00:59Z' });
  expect(refusal(asked, 'cancel')).toContain('already');
});

test('an action that the user may not ask for names the permission', () => {
  boot().permissions.cancel_job = false;
  expect(refusal(job(1, { allowed_actions: ['cancel'] }), 'cancel')).toContain('qforge.cancel_job');
});
