import { useQuery } from '@tanstack/react-query';
import { Ban, FastForward, type LucideIcon, RotateCcw } from 'lucide-react';
import { type BulkAction, DRY_RUN, dryRun, type OperationRequest } from '../../api/actions';
import type { JobQuery } from '../../api/queries';
import type { Permission } from '../../boot';
import { forbidden } from '../../lib/access';
import { type Bounded, bounded } from '../../lib/format';
import { allowing, type Selected } from './selection';

interface Look {
  verb: string;
  key: string;
  icon: LucideIcon;
  needs: Permission;
  about: string;
  /** Why it cannot be done to any of those selected. */
  none: string;
}

/** What can be done to many jobs here. */
export const BULK = {
  retry: {
    verb: 'Retry',
    key: 'r',
    icon: RotateCcw,
    needs: 'retry_job',
    about: 'They are queued anew with all their attempts. Their history stays.',
    none: 'None of them has failed or was cancelled',
  },
  'run-now': {
    verb: 'Run now',
    key: 'u',
    icon: FastForward,
    needs: 'change_job',
    about: 'They are queued at once instead of at their time.',
    none: 'None of them is scheduled',
  },
  cancel: {
    verb: 'Cancel',
    key: 'c',
    icon: Ban,
    needs: 'cancel_job',
    about: 'What waits is cancelled at once, what runs is asked to stop.',
    none: 'All of them have ended',
  },
} as const satisfies Partial<Record<BulkAction, Look>>;

export type Offered = keyof typeof BULK;
export const OFFERED = Object.keys(BULK) as Offered[];

const NO_CONDITIONS = new Set(['ordering', 'cursor', 'page_size']);

/** The conditions of a list, as an operation takes them. */
export function conditions(query: JobQuery): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => !NO_CONDITIONS.has(name) && value !== undefined,
    ),
  );
}

/** The operation that does `action` to what is selected. */
export function asked(selected: Selected, query: JobQuery, action: BulkAction): OperationRequest {
  if (!selected.all) return { action, ids: [...selected.rows.keys()] };
  const filter = conditions(query);
  return Object.keys(filter).length ? { action, filter } : { action, all: true };
}

/** How many of the selected jobs an action is for; undefined while that is asked. */
export function useFit(selected: Selected, query: JobQuery, action: Offered): Bounded | undefined {
  const body = asked(selected, query, action);
  const wanted = selected.all && !refused(action);
  const found = useQuery({
    queryKey: [DRY_RUN, body],
    queryFn: ({ signal }) => dryRun(body, signal),
    enabled: wanted,
  });
  if (selected.all) return found.data;
  return { count: allowing(selected, action), exact: true };
}

/** Why the user may not do it to many jobs; undefined when they may. */
export function refused(action: Offered): string | undefined {
  return forbidden('bulk_operate') ?? forbidden(BULK[action].needs);
}

/** `5,000 jobs`, `at least 10,000 jobs`. */
export function jobs(value: Bounded): string {
  if (!value.exact) return `${bounded(value)} jobs`;
  return `${bounded(value)} ${value.count === 1 ? 'job' : 'jobs'}`;
}
