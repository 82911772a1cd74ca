import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from '../api/connection';
import { boot } from '../boot';
import { usePreferences } from '../lib/preferences';
import { LiveBus, type LiveState } from './bus';
import { interval } from './pace';
import type { Topic } from './topics';

const buses = new WeakMap<QueryClient, LiveBus>();

/** The one bus of the page. */
export function useLiveBus(): LiveBus {
  const client = useQueryClient();
  let bus = buses.get(client);
  if (!bus) {
    bus = new LiveBus(client);
    buses.set(client, bus);
  }
  return bus;
}

export function useLiveState(): LiveState {
  const bus = useLiveBus();
  return useSyncExternalStore(bus.subscribe, bus.get);
}

/** Whether the page is kept up to date by itself: allowed by the server and wanted by the viewer. */
export function useIsLive(): boolean {
  return usePreferences().live && boot().live.enabled;
}

/** Keeps the page's bus running while it is wanted. */
export function useLiveUpdates(): void {
  const bus = useLiveBus();
  const live = useIsLive();
  useEffect(() => (live ? bus.start() : undefined), [bus, live]);
}

interface Options<T> {
  /** What it shows: it is read anew when the server tells of a change there. */
  on?: readonly Topic[];
  /** Of what the server tells nothing about: read anew every 15 s instead of every 5 s. */
  calm?: boolean;
  /** Another interval in ms than the usual, as long as it gives one; for what moves by itself. */
  every?: (data: T | undefined) => number | undefined;
  /** Keep showing the old data under a new key while the new data comes; the default. */
  keep?: boolean;
}

/**
 * A query that stays up to date. Say `on` what it shows, `['jobs']` or `['job:12']`; without that
 * it is read anew at an interval. It stops while the page is hidden or live updates are off.
 */
export function useLiveQuery<T>(
  queryKey: QueryKey,
  queryFn: (signal: AbortSignal) => Promise<T>,
  { on, calm = false, every, keep = true }: Options<T> = {},
) {
  const polls = useIsLive() && on === undefined;
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => queryFn(signal),
    meta: { on: on ?? [] },
    refetchInterval: ({ state }) =>
      polls ? (every?.(state.data) ?? interval(connection.get().misses, calm)) : false,
    placeholderData: keep ? keepPreviousData : undefined,
  });
}
