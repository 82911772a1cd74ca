import type { QueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client';
import { connection } from '../api/connection';
import { ApiError } from '../api/problem';
import { basePath, boot } from '../boot';
import { mustHold } from './manners';
import { noteInput, patience, pause } from './pace';
import { concerns, type LiveMessage, type Topic, type Touched, touchedBy } from './topics';

const FIRST_RECONCILE_MS = 10_000;
const RECONCILE_MS = 60_000;
const HELD_MS = 500;
const AGAIN_MS = 1_000;
const STREAM_RETRY_MS = 3_000;
const STREAM_FAILURES = 2;
const STREAM_REST_MS = 300_000;
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'touchstart'];

export interface LiveState {
  /** When the server is asked next, by this machine's clock; 0 while it is not going to be. */
  nextAt: number;
  /** Changes wait until whoever uses the page has finished what they are in the middle of. */
  held: boolean;
  /** News comes over an open stream instead of by asking. */
  streaming: boolean;
}

/**
 * Hears from the server what has changed and lets the queries that show it be read anew.
 *
 * Messages are hints: a lost one costs freshness only, since everything is read anew once a minute.
 */
export class LiveBus {
  private cursor: string | undefined;
  private statsAt = '';
  private state: LiveState = { nextAt: 0, held: false, streaming: false };
  private readonly listeners = new Set<() => void>();
  private asking: AbortController | null = null;
  private timers: Record<string, ReturnType<typeof setTimeout> | undefined> = {};
  private waiting: Touched = new Set();
  private stream: EventSource | null = null;
  private streamFailures = 0;

  constructor(private readonly client: QueryClient) {}

  get = (): LiveState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begin to listen; returns what ends it. */
  start(): () => void {
    for (const kind of INPUTS) document.addEventListener(kind, noteInput, { passive: true });
    document.addEventListener('visibilitychange', this.onVisibility);
    window.addEventListener('online', this.now);
    this.after('reconcile', FIRST_RECONCILE_MS, this.reconcile);
    this.onVisibility();
    return () => {
      for (const kind of INPUTS) document.removeEventListener(kind, noteInput);
      document.removeEventListener('visibilitychange', this.onVisibility);
      window.removeEventListener('online', this.now);
      this.stop();
    };
  }

  /** Ask the server at once. */
  now = (): void => {
    if (!document.hidden && !this.state.streaming) void this.ask();
  };

  /** A message, however it came. */
  receive(message: LiveMessage): void {
    this.cursor = message.cursor;
    // Another process of the server may have counted earlier.
    if (message.stats && message.stats_at >= this.statsAt) {
      this.statsAt = message.stats_at;
      this.client.setQueryData(['stats'], message.stats);
    }
    for (const topic of touchedBy(message)) this.waiting.add(topic);
    this.hand();
  }

  private onVisibility = (): void => {
    if (document.hidden) {
      this.quiet();
    } else {
      noteInput();
      this.listen();
    }
  };

  /** Hear by stream where the server offers one, else by asking. */
  private listen = (): void => {
    if (!boot().live.stream || this.streamFailures >= STREAM_FAILURES) {
      void this.ask();
      return;
    }
    const query = this.cursor ? `?cursor=${encodeURIComponent(this.cursor)}` : '';
    const stream = new EventSource(`${basePath()}/api/live/stream/${query}`);
    this.stream?.close();
    this.stream = stream;
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      this.streamFailures = 0;
      connection.heard();
      if (!this.state.streaming) this.set({ streaming: true, nextAt: 0 });
      this.receive(JSON.parse(data) as LiveMessage);
    };
    stream.addEventListener('bye', () => this.listen());
    stream.onerror = () => {
      if (this.stream === stream) this.streamBroke();
    };
  };

  /** Tried once more, then left alone for a while: some proxy may cut it every time. */
  private streamBroke(): void {
    this.endStream();
    this.streamFailures += 1;
    const again = this.streamFailures < STREAM_FAILURES;
    if (!again) {
      this.after('stream', STREAM_REST_MS, () => {
        this.streamFailures = STREAM_FAILURES - 1;
        this.after('poll', null);
        if (!document.hidden) this.listen();
      });
    }
    this.after('poll', again ? STREAM_RETRY_MS : 0, this.listen);
  }

  private endStream(): void {
    this.stream?.close();
    this.stream = null;
    if (this.state.streaming) this.set({ streaming: false });
  }

  private async ask(): Promise<void> {
    if (this.asking || connection.get().signedOut) return;
    this.after('poll', null);
    const asking = new AbortController();
    this.asking = asking;
    try {
      const message = await read<LiveMessage>(
        api().GET('/api/live/', {
          params: { query: { cursor: this.cursor } },
          signal: asking.signal,
          parseAs: 'text',
        }),
      );
      this.receive(message);
      this.plan(pause(message.next_poll_ms));
    } catch (error) {
      if (!asking.signal.aborted) this.afterError(error);
    } finally {
      if (this.asking === asking) this.asking = null;
    }
  }

  private afterError(error: unknown): void {
    const problem = error instanceof ApiError ? error : undefined;
    if (problem?.status === 422) {
      // A cursor of an older release. Whatever happened in between is read anew.
      this.cursor = undefined;
      this.waiting.add('*');
    }
    const { misses, signedOut } = connection.get();
    if (!signedOut) this.plan(patience(misses, problem?.retryAfterMs));
  }

  private plan(ms: number): void {
    if (document.hidden) return;
    this.after('poll', ms, () => void this.ask());
    this.set({ nextAt: Date.now() + ms });
  }

  /** Nothing is asked any more; the place is kept, so that nothing is missed. */
  private quiet(): void {
    this.endStream();
    this.asking?.abort();
    this.asking = null;
    this.after('poll', null);
    this.set({ nextAt: 0 });
  }

  private stop(): void {
    this.quiet();
    for (const name of Object.keys(this.timers)) this.after(name, null);
  }

  private reconcile = (): void => {
    this.after('reconcile', RECONCILE_MS, this.reconcile);
    if (document.hidden) return;
    this.waiting.add('*');
    this.hand();
  };

  /** Let queries be read anew, unless somebody is in the middle of something. */
  private hand = (): void => {
    this.after('held', null);
    const held = this.waiting.size > 0 && mustHold();
    if (held !== this.state.held) this.set({ held });
    if (held) {
      this.after('held', HELD_MS, this.hand);
      return;
    }
    const touched = this.waiting;
    this.waiting = new Set();
    if (touched.size) this.invalidate(touched);
  };

  private invalidate(touched: Touched): void {
    const late: string[] = [];
    void this.client.invalidateQueries(
      {
        predicate: ({ meta, queryHash, state }) => {
          const hit = concerns((meta?.on as Topic[] | undefined) ?? [], touched);
          if (hit && state.fetchStatus === 'fetching') late.push(queryHash);
          return hit;
        },
      },
      { cancelRefetch: false },
    );
    // Those under way may have been answered before the change.
    if (late.length) {
      setTimeout(() => {
        const predicate = ({ queryHash }: { queryHash: string }) => late.includes(queryHash);
        void this.client.invalidateQueries({ predicate }, { cancelRefetch: false });
      }, AGAIN_MS);
    }
  }

  private after(name: string, ms: number | null, then?: () => void): void {
    clearTimeout(this.timers[name]);
    this.timers[name] = ms === null || !then ? undefined : setTimeout(then, ms);
  }

  private set(next: Partial<LiveState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }
}
