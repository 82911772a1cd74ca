import type { Job } from '../../api/client';
import { roughly } from '../../lib/format';

/** Why a job is where it is, in one line; what the API of today can tell. */
export function why(job: Job, now: number): string {
  const due = (Date.parse(job.available_at) - now) / 1000;
  if (job.status === 'scheduled') {
    const when = due > 0 ? `in ${roughly(due)}` : 'any moment now';
    return job.attempts > 0
      ? `Attempt ${job.attempts} of ${job.max_attempts} failed; the next one is due ${when}.`
      : `It becomes due ${when}.`;
  }
  if (job.status === 'queued') {
    if (job.queue_paused) return `It waits because the queue ${job.queue} is paused.`;
    if (!job.task_registered) {
      return 'It waits for a worker. The web process does not know its task; a worker that does not either will fail it.';
    }
    return `It waits for a free worker, due for ${roughly(-due)}.`;
  }
  if (job.status === 'running') return running(job, now);
  if (job.status === 'blocked') return 'It waits for earlier steps of its workflow.';
  if (job.status === 'failed') {
    return job.attempts < job.max_attempts
      ? `It failed for good in attempt ${job.attempts} of ${job.max_attempts}: trying again could not help.`
      : `It failed in all of its ${job.max_attempts} attempts. A retry gives it as many anew.`;
  }
  return '';
}

function running(job: Job, now: number): string {
  const left = job.lease ? (Date.parse(job.lease.expires_at) - now) / 1000 : 0;
  if (job.lease && left < 0) {
    return `Its worker stopped responding ${roughly(-left)} ago; the job will be rescued.`;
  }
  const asked = job.cancel_requested_at
    ? ' It has been asked to stop, and ends when its handler does.'
    : '';
  return `It runs on ${job.lease?.worker ?? 'a worker'}.${asked}`;
}

/** Why an action cannot be asked of the job in its status; undefined when it can. */
export function refusal(job: Job, action: Job['allowed_actions'][number]): string | undefined {
  if (action === 'cancel' && job.status === 'running' && job.cancel_requested_at) {
    return 'It has been asked to stop already';
  }
  if (job.allowed_actions.includes(action)) return undefined;
  const rules = {
    cancel: 'Only a job that has not ended can be cancelled',
    retry: 'Only a failed or cancelled job can be retried',
    'run-now': 'Only a scheduled job can be run before its time',
  };
  return rules[action];
}
