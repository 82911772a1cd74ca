import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read, type Schemas } from './client';

const TEXT = { parseAs: 'text' } as const;

export type ScheduleDetail = Schemas['QForgeSchedule'];
export type Run = Schemas['QForgeRun'];
export type Preview = Schemas['QForgePreview'];
type Body = Schemas['QForgeScheduleRequest'];

/** The times that a schedule is asked to have; either of the first two. */
export interface Times {
  cron?: string;
  interval_seconds?: number;
  timezone?: string;
}

/** A schedule as it is when it begins to be edited; it does not change under the hand. */
export const useScheduleDetail = (id: number | undefined) =>
  useQuery({
    queryKey: ['schedule', id, 'detail'],
    queryFn: ({ signal }) =>
      read<ScheduleDetail>(
        api().GET('/api/schedules/{schedule_id}/', {
          params: { path: { schedule_id: id ?? 0 } },
          signal,
          ...TEXT,
        }),
      ),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });

/** The fire times that a schedule would have. */
export const usePreview = (times: Times, count: number) =>
  useQuery({
    queryKey: ['schedule', 'preview', times, count],
    queryFn: ({ signal }) =>
      read<Preview>(
        api().GET('/api/schedules/preview/', {
          params: { query: { ...times, count } },
          signal,
          ...TEXT,
        }),
      ),
    enabled: Boolean(times.cron) || times.interval_seconds !== undefined,
    placeholderData: keepPreviousData,
  });

interface Save {
  /** Undefined: a new one. */
  id?: number;
  /** JSON text, so that its numbers go out as they were typed. */
  body: string;
}

function save({ id, body }: Save): Promise<ScheduleDetail> {
  const options = {
    body: body as unknown as Body,
    bodySerializer: (text: unknown) => text as string,
    headers: { 'Content-Type': 'application/json' },
    ...TEXT,
  };
  if (id === undefined) return read(api().POST('/api/schedules/', options));
  const params = { path: { schedule_id: id } };
  return read(api().PATCH('/api/schedules/{schedule_id}/', { params, ...options }));
}

export function useSaveSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: () => void client.invalidateQueries({ queryKey: ['schedules'] }),
  });
}

export function useDeleteSchedule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => {
      const params = { path: { schedule_id: id } };
      return read<unknown>(api().DELETE('/api/schedules/{schedule_id}/', { params, ...TEXT }));
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['schedules'] }),
  });
}
