import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { connection } from '../api/connection';
import { boot } from '../boot';
import { stats } from '../testing/samples';
import { putBoot } from '../testing/server';
import { LiveBus } from './bus';
import type { LiveMessage, Topic } from './topics';

function message(rest: Partial<LiveMessage> = {}): LiveMessage {
  return {
    cursor: 'c1',
    server_time: '2026-01-01T00:00:00Z',
    next_poll_ms: 2_000,
    stats: null,
    stats_at: '2026-01-01T00:00:00Z',
    changed: {
      jobs: [],
      workflows: [],
      queues: false,
      workers: false,
      schedules: false,
      failures: false,
    },
    overflow: false,
    ...rest,
  };
}

const changed = (rest: Partial<LiveMessage['changed']>) => ({ ...message().changed, ...rest });

let answer: () => Response;
let asked: URL[];
let client: QueryClient;
let bus: LiveBus;
let end: (() => void)[];

const ok = (body: LiveMessage) => new Response(JSON.stringify(body));

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** A query on the page; returns how often it was read. */
function watch(
  name: string,
  on: Topic[],
  read: () => Promise<unknown> = async () => 1,
): () => number {
  let reads = 0;
  const observer = new QueryObserver(client, {
    queryKey: [name],
    queryFn: () => {
      reads += 1;
      return read();
    },
    meta: { on },
  });
  end.push(observer.subscribe(() => undefined));
  return () => reads;
}

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

/** Stands in for the browser's own, which this environment lacks. */
class Source extends EventTarget {
  static opened: Source[] = [];
  onmessage?: (event: { data: string }) => void;
  onerror?: () => void;
  closed = false;

  constructor(readonly url: string) {
    super();
    Source.opened.push(this);
  }

  close(): void {
    this.closed = true;
  }

  static last(): Source {
    const source = Source.opened.at(-1);
    if (!source) throw new Error('No stream was opened.');
    return source;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  putBoot();
  connection.answered(null);
  asked = [];
  end = [];
  answer = () => ok(message());
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url));
    return answer();
  });
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  bus = new LiveBus(client);
});

afterEach(() => {
  for (const stop of end) stop();
  hide(false);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

test('only what shows a change is read anew', async () => {
  const mine = watch('mine', ['job:5']);
  const other = watch('other', ['job:6', 'failures']);
  const list = watch('list', ['jobs']);
  await tick();
  bus.receive(message({ changed: changed({ jobs: [5] }) }));
  await tick();
  expect([mine(), other(), list()]).toEqual([2, 1, 2]);
});

test('an overflow reads everything anew', async () => {
  const mine = watch('mine', ['workflow:5']);
  const quiet = watch('quiet', []);
  await tick();
  bus.receive(message({ overflow: true }));
  await tick();
  expect([mine(), quiet()]).toEqual([2, 1]);
});

test('a query that was under way when the change came is read once more', async () => {
  const done: (() => void)[] = [];
  const reads = watch(
    'slow',
    ['jobs'],
    () => new Promise((resolve) => done.push(() => resolve(1))),
  );
  await tick();
  bus.receive(message({ changed: changed({ jobs: [1] }) }));
  done[0]?.();
  await tick(999);
  expect(reads()).toBe(1);
  await tick(2);
  expect(reads()).toBe(2);
});

test('numbers go to whoever shows them, and never back in time', () => {
  const at = (second: string, failed: number) =>
    message({ stats: stats({ failedLastHour: failed }), stats_at: `2026-01-01T00:00:${second}Z` });
  const shown = () =>
    client.getQueryData<ReturnType<typeof stats>>(['stats'])?.finished.last_hour.failed.count;
  bus.receive(at('05', 2));
  bus.receive(at('04', 1));
  expect(shown()).toBe(2);
  bus.receive(at('06', 3));
  expect(shown()).toBe(3);
});

test('it asks from where it stands, at the pace of the server', async () => {
  end.push(bus.start());
  await tick();
  answer = () => ok(message({ cursor: 'c2', next_poll_ms: 7_000 }));
  await tick(2_000);
  await tick(6_999);
  expect(asked.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, 'c1']);
  await tick(2);
  expect(asked.at(-1)?.searchParams.get('cursor')).toBe('c2');
});

test('a hidden page asks nothing, and one that is seen again asks at once', async () => {
  end.push(bus.start());
  await tick();
  hide(true);
  await tick(60_000);
  expect(asked).toHaveLength(1);
  hide(false);
  await tick();
  expect(asked).toHaveLength(2);
});

test('an open dialog holds changes back until it is closed', async () => {
  const reads = watch('list', ['jobs']);
  await tick();
  document.body.innerHTML = '<dialog open></dialog>';
  bus.receive(message({ changed: changed({ jobs: [1] }) }));
  await tick(1_000);
  expect([reads(), bus.get().held]).toEqual([1, true]);
  document.body.innerHTML = '';
  await tick(1_000);
  expect([reads(), bus.get().held]).toEqual([2, false]);
});

test('a server that asks for patience is left alone for so long', async () => {
  answer = () => new Response('{}', { status: 503, headers: { 'Retry-After': '20' } });
  end.push(bus.start());
  await tick();
  await tick(19_000);
  expect(asked).toHaveLength(1);
  await tick(2_000);
  expect(asked).toHaveLength(2);
});

test('a cursor the server does not know leads to a fresh start that reads everything', async () => {
  const reads = watch('list', ['jobs']);
  end.push(bus.start());
  await tick();
  answer = () => new Response('{"code":"validation","title":"no"}', { status: 422 });
  await tick(2_000);
  answer = () => ok(message({ cursor: 'fresh' }));
  await tick(2_000);
  expect(asked.at(-1)?.searchParams.get('cursor')).toBeNull();
  await tick(0);
  expect(reads()).toBe(2);
});

test('whatever was missed is read anew once a minute', async () => {
  const reads = watch('list', ['jobs']);
  end.push(bus.start());
  await tick(10_001);
  expect(reads()).toBe(2);
  await tick(60_001);
  expect(reads()).toBe(3);
});

describe('where the server offers a stream', () => {
  beforeEach(() => {
    Source.opened = [];
    vi.stubGlobal('EventSource', Source);
    boot().live.stream = true;
    end.push(() => {
      boot().live.stream = false;
    });
  });

  test('news comes over it and nothing is asked', async () => {
    const reads = watch('list', ['jobs']);
    end.push(bus.start());
    await tick();
    Source.last().onmessage?.({
      data: JSON.stringify(message({ changed: changed({ jobs: [1] }) })),
    });
    await tick(5_000);
    expect([reads(), asked.length, bus.get().streaming]).toEqual([2, 0, true]);
  });

  test('a planned end leads to another stream that goes on from there', async () => {
    end.push(bus.start());
    Source.last().onmessage?.({ data: JSON.stringify(message({ cursor: 'c7' })) });
    const first = Source.last();
    first.dispatchEvent(new Event('bye'));
    expect(first.closed).toBe(true);
    expect(Source.last().url).toBe('/base/api/live/stream/?cursor=c7');
  });

  test('after two failures the page asks instead, and tries a stream again much later', async () => {
    end.push(bus.start());
    Source.last().onerror?.();
    await tick(3_000);
    expect([Source.opened.length, asked.length]).toEqual([2, 0]);
    Source.last().onerror?.();
    await tick(10);
    expect([Source.opened.length, asked.length, bus.get().streaming]).toEqual([2, 1, false]);
    await tick(300_001);
    expect(Source.opened).toHaveLength(3);
  });

  test('a hidden page closes it, since browsers allow only a few at once', async () => {
    end.push(bus.start());
    const source = Source.last();
    hide(true);
    expect(source.closed).toBe(true);
    hide(false);
    expect(Source.opened).toHaveLength(2);
  });
});
