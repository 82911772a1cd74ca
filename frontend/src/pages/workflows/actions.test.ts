import { boot } from '../../boot';
import { workflow } from '../../testing/samples';
import { putBoot } from '../../testing/server';
import { refusal } from './actions';

putBoot();

test('what is allowed is not refused', () => {
  expect(refusal(workflow(1), 'cancel')).toBeUndefined();
  expect(refusal(workflow(1), 'rerun')).toBeUndefined();
});

test('an action that cannot be asked for says why', () => {
  expect(refusal(workflow(1), 'retry')).toContain('No step of it has failed');
  const done = workflow(1, { status: 'succeeded', allowed_actions: ['rerun'] });
  expect(refusal(done, 'cancel')).toContain('ended');
  expect(refusal(done, 'retry')).toContain('succeeded');
});

test('a workflow that is being cancelled is neither cancelled again nor retried', () => {
  const stopping = workflow(1, {
    cancel_requested_at: '2026-01-01T00:00:01Z',
    allowed_actions: ['rerun'],
  });
  expect(refusal(stopping, 'cancel')).toContain('already');
  expect(refusal(stopping, 'retry')).toContain('being cancelled');
});

test('an action that the user may not ask for names the permission', () => {
  boot().permissions.manage_workflow = false;
  expect(refusal(workflow(1), 'cancel')).toContain('qforge.manage_workflow');
});
