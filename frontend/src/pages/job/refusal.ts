import type { JobAction } from '../../api/actions';
import type { Job } from '../../api/client';
import type { Permission } from '../../boot';
import { forbidden } from '../../lib/access';

const NEEDS: Record<JobAction, Permission> = {
  cancel: 'cancel_job',
  retry: 'retry_job',
  'run-now': 'change_job',
};
const RULES: Record<JobAction, string> = {
  cancel: 'Only a job that has not ended can be cancelled',
  retry: 'Only a failed or cancelled job can be retried',
  'run-now': 'Only a scheduled job can be run before its time',
};

/** Why an action cannot be asked of the job; undefined when it can. */
export function refusal(job: Job, action: JobAction): string | undefined {
  if (action === 'cancel' && job.status === 'running' && job.cancel_requested_at) {
    return 'It has been asked to stop already';
  }
  if (!job.allowed_actions.includes(action)) return RULES[action];
  return forbidden(NEEDS[action]);
}
