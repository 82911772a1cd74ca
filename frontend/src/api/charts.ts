import { useLiveQuery } from '../live/useLive';
import { api, read, type Schemas } from './client';

const TEXT = { parseAs: 'text' } as const;

export const RANGES = ['1h', '6h', '24h', '7d'] as const;
export type Range = (typeof RANGES)[number];
export type Timeseries = Schemas['QForgeTimeseries'];

/** How it went over time; of all queues, or of one. */
export const useTimeseries = (range: Range, queue?: string) =>
  useLiveQuery(
    ['timeseries', range, queue ?? ''],
    (signal) => {
      const params = { query: { range, queue } };
      return read<Timeseries>(api().GET('/api/stats/timeseries/', { params, signal, ...TEXT }));
    },
    { calm: true },
  );

export const useSlowestTasks = (range: Range) =>
  useLiveQuery(
    ['slowest', range],
    (signal) => {
      const params = { query: { range } };
      return read<Schemas['QForgeTaskTimesList']>(
        api().GET('/api/stats/tasks/', { params, signal, ...TEXT }),
      );
    },
    { calm: true },
  );

/** The groups of failures seen last. */
export const useLatestFailures = (size: number) =>
  useLiveQuery(
    ['failures', 'latest', size],
    (signal) => {
      const params = { query: { status: ['open' as const], page_size: size } };
      return read<Schemas['QForgeFailurePage']>(
        api().GET('/api/failures/', { params, signal, ...TEXT }),
      );
    },
    { on: ['failures'] },
  );
