import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Failure, type Job, read, type Schemas } from './client';

const TEXT = { parseAs: 'text' } as const;

/** Begins the keys of counts that are asked for once, and not again by themselves. */
export const DRY_RUN = 'dry-run';

export type JobAction = Schemas['QForgeJobAction'];
export type JobRequest = Schemas['QForgeJobRequest'];

function actOnJob(id: number, action: JobAction, reason: string): Promise<Job> {
  const options = { params: { path: { job_id: id } }, body: { reason }, ...TEXT };
  if (action === 'cancel') return read(api().POST('/api/jobs/{job_id}/cancel/', options));
  if (action === 'retry') return read(api().POST('/api/jobs/{job_id}/retry/', options));
  return read(api().POST('/api/jobs/{job_id}/run-now/', options));
}

/** A write, after which everything on the page is asked for anew. */
function useWrite<V, T>(mutationFn: (values: V) => Promise<T>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    // Whether it worked or not: a refusal mostly means that what is shown is old.
    onSettled: () =>
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== DRY_RUN }),
  });
}

export const useJobAction = () =>
  useWrite((given: { id: number; action: JobAction; reason: string }) =>
    actOnJob(given.id, given.action, given.reason),
  );

export const useQueueSwitch = () =>
  useWrite(({ name, pause, reason }: { name: string; pause: boolean; reason: string }) => {
    const options = { params: { path: { name } }, body: { reason }, ...TEXT };
    return read<Schemas['QForgeQueueControl']>(
      pause
        ? api().POST('/api/queues/{name}/pause/', options)
        : api().POST('/api/queues/{name}/resume/', options),
    );
  });

export type Decision = Schemas['PatchedQForgeFailurePatch'];

export const useDecide = () =>
  useWrite(({ fingerprint, decision }: { fingerprint: string; decision: Decision }) => {
    const options = { params: { path: { fingerprint } }, body: decision, ...TEXT };
    return read<Failure>(api().PATCH('/api/failures/{fingerprint}/', options));
  });

export type ScheduleAction = 'enable' | 'disable' | 'run-now';

export const useScheduleAction = () =>
  useWrite((given: { id: number; action: ScheduleAction; reason: string }) => {
    const { id, action, reason } = given;
    const options = { params: { path: { schedule_id: id } }, body: { reason }, ...TEXT };
    if (action === 'run-now') {
      return read<{ id: number }>(api().POST('/api/schedules/{schedule_id}/run-now/', options));
    }
    return read<{ id: number }>(
      action === 'enable'
        ? api().POST('/api/schedules/{schedule_id}/enable/', options)
        : api().POST('/api/schedules/{schedule_id}/disable/', options),
    );
  });

/** Enqueues; the body is JSON text, so that its numbers go out as they were typed. */
export const useEnqueue = () =>
  useWrite((body: string) =>
    read<Job>(
      api().POST('/api/jobs/', {
        body: body as unknown as JobRequest,
        bodySerializer: (text) => text as unknown as string,
        headers: { 'Content-Type': 'application/json' },
        ...TEXT,
      }),
    ),
  );

export type BulkAction = Schemas['QForgeBulkAction'];
export type DryRun = Schemas['QForgeDryRun'];
export type OperationRequest = Schemas['QForgeOperationRequest'];

/** How many jobs an operation would be for, and the first of them. Changes nothing. */
export function dryRun(body: OperationRequest, signal?: AbortSignal): Promise<DryRun> {
  return read<DryRun>(
    api().POST('/api/operations/', { body: { ...body, dry_run: true }, signal, ...TEXT }),
  );
}

export const useStartOperation = () =>
  useWrite((body: OperationRequest) =>
    read<Schemas['QForgeOperation']>(api().POST('/api/operations/', { body, ...TEXT })),
  );

export const useCancelOperation = () =>
  useWrite(({ id, reason }: { id: number; reason: string }) => {
    const options = { params: { path: { operation_id: id } }, body: { reason }, ...TEXT };
    return read<Schemas['QForgeOperation']>(
      api().POST('/api/operations/{operation_id}/cancel/', options),
    );
  });
