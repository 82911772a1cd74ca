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
