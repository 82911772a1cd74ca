import type { WorkflowRow } from '../../api/workflows';

/** What the status of a workflow means, in one line. */
export function about(
  workflow: Pick<WorkflowRow, 'status' | 'progress' | 'cancel_requested_at'>,
): string {
  const { status, progress } = workflow;
  if (status === 'running') {
    if (workflow.cancel_requested_at !== null) return 'Ends when nothing of it runs any more';
    return progress.failed
      ? 'Goes on with the steps that can still run'
      : 'Not all steps have ended';
  }
  if (status === 'succeeded') {
    return progress.failed + progress.cancelled
      ? 'Done; what failed or was cancelled was allowed to'
      : 'Every step succeeded';
  }
  if (status === 'failed') return 'A step failed that the others needed';
  return 'Stopped on purpose';
}
