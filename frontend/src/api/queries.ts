import { useLiveQuery } from '../live/useLive';
import {
  api,
  type Failure,
  type FailureRow,
  type Job,
  type JobEvent,
  type JobRow,
  read,
  type Schemas,
} from './client';

export interface Page<T> {
  results: T[];
  next: string | null;
  previous: string | null;
}

const TEXT = { parseAs: 'text' } as const;

export const useStats = () =>
  useLiveQuery(
    ['stats'],
    (signal) => read<Schemas['QForgeStats']>(api().GET('/api/stats/', { signal, ...TEXT })),
    { on: ['stats'] },
  );

export const useQueues = () =>
  useLiveQuery(
    ['queues'],
    (signal) => read<Schemas['QForgeQueueList']>(api().GET('/api/queues/', { signal, ...TEXT })),
    { on: ['queues'] },
  );

export const useWorkers = () =>
  useLiveQuery(['workers'], (signal) =>
    read<Schemas['QForgeWorkerList']>(api().GET('/api/workers/', { signal, ...TEXT })),
  );

export const useTasks = () =>
  useLiveQuery(
    ['tasks'],
    (signal) => read<Schemas['QForgeTaskList']>(api().GET('/api/tasks/', { signal, ...TEXT })),
    { calm: true },
  );

export type JobQuery = NonNullable<
  import('./schema').operations['qforge_jobs_list']['parameters']['query']
>;

export const useJobs = (query: JobQuery) =>
  useLiveQuery(
    ['jobs', query],
    (signal) => read<Page<JobRow>>(api().GET('/api/jobs/', { params: { query }, signal, ...TEXT })),
    { on: ['jobs'] },
  );

export const useJob = (id: number) =>
  useLiveQuery(
    ['job', id],
    (signal) =>
      read<Job>(
        api().GET('/api/jobs/{job_id}/', { params: { path: { job_id: id } }, signal, ...TEXT }),
      ),
    { on: [`job:${id}`], keep: false },
  );

/** Why a job is not running, or how it ended; asked anew with its status. */
export const useWhy = (id: number, status: Job['status']) =>
  useLiveQuery(['job', id, 'why', status], (signal) =>
    read<Schemas['QForgeWhy']>(
      api().GET('/api/jobs/{job_id}/why/', { params: { path: { job_id: id } }, signal, ...TEXT }),
    ),
  );

/** The newest events of a job, newest first. */
export const useJobEvents = (id: number, cursor: string | undefined) =>
  useLiveQuery(
    ['job', id, 'events', cursor ?? ''],
    (signal) => {
      const query = { ordering: '-id', page_size: 100, cursor } as const;
      const params = { path: { job_id: id }, query };
      return read<Page<JobEvent>>(
        api().GET('/api/jobs/{job_id}/events/', { params, signal, ...TEXT }),
      );
    },
    { on: [`job:${id}`], keep: cursor !== undefined },
  );

export type FailureQuery = NonNullable<
  import('./schema').operations['qforge_failures_list']['parameters']['query']
>;

export const useFailures = (query: FailureQuery) =>
  useLiveQuery(['failures', query], (signal) =>
    read<Page<FailureRow>>(api().GET('/api/failures/', { params: { query }, signal, ...TEXT })),
  );

export const useFailure = (fingerprint: string) =>
  useLiveQuery(
    ['failure', fingerprint],
    (signal) =>
      read<Failure>(
        api().GET('/api/failures/{fingerprint}/', {
          params: { path: { fingerprint } },
          signal,
          ...TEXT,
        }),
      ),
    { keep: false },
  );

export type Schedule = Schemas['QForgeScheduleRow'];

export const useSchedules = (cursor: string | undefined) =>
  useLiveQuery(
    ['schedules', cursor ?? ''],
    (signal) => {
      const query = { cursor };
      return read<Page<Schedule>>(
        api().GET('/api/schedules/', { params: { query }, signal, ...TEXT }),
      );
    },
    { on: ['schedules'] },
  );

export const useScheduleNext = (id: number, count: number) =>
  useLiveQuery(
    ['schedule', id, 'next', count],
    (signal) => {
      const params = { path: { schedule_id: id }, query: { count } };
      return read<Schemas['QForgeRunList']>(
        api().GET('/api/schedules/{schedule_id}/next/', { params, signal, ...TEXT }),
      );
    },
    { on: ['schedules'] },
  );

/** Whether a health endpoint says that all is well. */
export const useHealth = (path: '/healthz/' | '/readyz/') =>
  useLiveQuery(['health', path], (signal) =>
    read<Schemas['QForgeHealth']>(api().GET(path, { signal, ...TEXT })),
  );

export type AuditEntry = Schemas['QForgeAuditEntry'];
export type AuditQuery = NonNullable<
  import('./schema').operations['qforge_audit_list']['parameters']['query']
>;

export const useAudit = (query: AuditQuery) =>
  useLiveQuery(
    ['audit', query],
    (signal) =>
      read<Page<AuditEntry>>(api().GET('/api/audit/', { params: { query }, signal, ...TEXT })),
    { calm: true },
  );

export type Operation = Schemas['QForgeOperation'];

const AT_WORK_MS = 1_000;
const isOpen = ({ status }: Operation) => status === 'pending' || status === 'running';

export const useOperations = (cursor: string | undefined) =>
  useLiveQuery(
    ['operations', cursor ?? ''],
    (signal) =>
      read<Page<Operation>>(
        api().GET('/api/operations/', { params: { query: { cursor } }, signal, ...TEXT }),
      ),
    { every: (page) => (page?.results.some(isOpen) ? AT_WORK_MS : undefined) },
  );

export const useOperation = (id: number) =>
  useLiveQuery(
    ['operation', id],
    (signal) => {
      const params = { path: { operation_id: id } };
      return read<Operation>(
        api().GET('/api/operations/{operation_id}/', { params, signal, ...TEXT }),
      );
    },
    { every: (found) => (found && isOpen(found) ? AT_WORK_MS : undefined), keep: false },
  );

export type OperationItem = Schemas['QForgeOperationItem'];

/** The jobs an operation left as they were; asked anew when there are more of them. */
export function operationItems(
  id: number,
  query: { cursor?: string; page_size?: number },
  signal?: AbortSignal,
) {
  const params = { path: { operation_id: id }, query };
  return read<Page<OperationItem>>(
    api().GET('/api/operations/{operation_id}/items/', { params, signal, ...TEXT }),
  );
}

export const useOperationItems = (id: number, cursor: string | undefined, left: number) =>
  useLiveQuery(
    ['operation', id, 'items', cursor ?? '', left],
    (signal) => operationItems(id, { cursor }, signal),
    { calm: true },
  );
