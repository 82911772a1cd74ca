import {
  Ban,
  Check,
  CircleDashed,
  Clock,
  Link2,
  LoaderCircle,
  type LucideIcon,
  RotateCw,
  X,
} from 'lucide-react';
import type { JobStatus } from '../api/client';

/** A status as it is shown; `retrying` is `scheduled` with attempts behind it. */
export type ShownStatus = JobStatus | 'retrying';

export interface StatusLook {
  word: string;
  icon: LucideIcon;
  help: string;
}

export const STATUSES: Record<ShownStatus, StatusLook> = {
  queued: { word: 'Queued', icon: CircleDashed, help: 'Waits for a free worker' },
  running: { word: 'Running', icon: LoaderCircle, help: 'On a worker now' },
  retrying: { word: 'Retrying', icon: RotateCw, help: 'Failed, and will be tried again' },
  scheduled: { word: 'Scheduled', icon: Clock, help: 'Due at a later time' },
  blocked: { word: 'Blocked', icon: Link2, help: 'Waits for earlier steps of its workflow' },
  succeeded: { word: 'Succeeded', icon: Check, help: 'Done' },
  failed: { word: 'Failed', icon: X, help: 'All attempts are spent; needs a person' },
  cancelled: { word: 'Cancelled', icon: Ban, help: 'Stopped on purpose' },
};

/** The statuses of the API, in the one order in which they are shown everywhere. */
export const ORDER: JobStatus[] = [
  'queued',
  'running',
  'scheduled',
  'blocked',
  'failed',
  'succeeded',
  'cancelled',
];

export function shownStatus(job: { status: JobStatus; attempts: number }): ShownStatus {
  return job.status === 'scheduled' && job.attempts > 0 ? 'retrying' : job.status;
}
