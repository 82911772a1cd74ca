import type { Failure, Job, JobEvent, JobRow, Schemas } from '../api/client';
import type { Graph, GraphNode, WorkflowSummary } from '../api/workflows';

const exact = (count: number) => ({ count, exact: true });

export function stats({ failedLastHour = 0 } = {}): Schemas['QForgeStats'] {
  const finished = { succeeded: exact(0), failed: exact(0), cancelled: exact(0) };
  const open = { blocked: exact(0), scheduled: exact(0), queued: exact(0), running: exact(0) };
  return {
    jobs: { ...open, ...finished },
    finished: { last_minute: finished, last_hour: { ...finished, failed: exact(failedLastHour) } },
    oldest_queued_seconds: null,
    latency_seconds: { jobs: 0, wait: {}, run: {} },
    stalled: exact(0),
  };
}

export function queue(
  name: string,
  { queued = 0, ...rest }: Partial<Schemas['QForgeQueue']> & { queued?: number } = {},
): Schemas['QForgeQueue'] {
  return {
    name,
    jobs: { blocked: exact(0), scheduled: exact(0), queued: exact(queued), running: exact(0) },
    oldest_queued_seconds: null,
    paused_at: null,
    paused_by: '',
    pause_reason: '',
    rates: {
      in_per_minute: 0,
      out_per_minute: 0,
      retrying_per_minute: 0,
      wait_p95_seconds: null,
      finished: Array<number>(24).fill(0),
    },
    ...rest,
  };
}

export function worker(
  name: string,
  rest: Partial<Schemas['QForgeWorker']> = {},
): Schemas['QForgeWorker'] {
  return {
    name,
    host: 'web-1',
    pid: 1,
    version: '0.1.0',
    queues: [],
    threads: 8,
    busy: 0,
    stopping: false,
    started_at: '2026-01-01T00:00:00Z',
    heartbeat_age_seconds: 1,
    lost: false,
    ...rest,
  };
}

export function row(id: number, rest: Partial<JobRow> = {}): JobRow {
  return {
    id,
    task: 'demo.add',
    queue: 'default',
    status: 'queued',
    priority: 0,
    attempts: 0,
    max_attempts: 3,
    available_at: '2026-01-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    cancel_requested_at: null,
    progress: null,
    idempotency_key: null,
    workflow: null,
    step: '',
    allowed_actions: ['cancel'],
    worker: '',
    payload_preview: '{}',
    error_preview: '',
    ...rest,
  } as JobRow;
}

export function job(id: number, rest: Partial<Job> = {}): Job {
  const { worker: _, payload_preview: __, error_preview: ___, ...base } = row(id);
  return {
    ...base,
    payload: {},
    args: [],
    timeout_seconds: null,
    result: null,
    error: '',
    lease: null,
    task_registered: true,
    queue_paused: false,
    ...rest,
  } as Job;
}

export function event(
  id: number,
  kind: JobEvent['kind'],
  to: JobEvent['to_status'],
  second: number,
  rest: Partial<JobEvent> = {},
): JobEvent {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return {
    id,
    job: 1,
    kind,
    at,
    from_status: null,
    to_status: to,
    attempt: 0,
    worker: '',
    data: {},
    ...rest,
  };
}

export function workflow(id: number, rest: Partial<WorkflowSummary> = {}): WorkflowSummary {
  return {
    id,
    name: 'release',
    status: 'running',
    progress: { steps: 3, open: 3, running: 1, succeeded: 0, failed: 0, cancelled: 0 },
    failed_step: null,
    seconds: 1,
    created_at: '2026-01-01T00:00:00Z',
    started_at: '2026-01-01T00:00:00Z',
    finished_at: null,
    cancel_requested_at: null,
    idempotency_key: null,
    rerun_of: null,
    allowed_actions: ['cancel', 'rerun'],
    counts: {
      blocked: 2,
      scheduled: 0,
      queued: 0,
      running: 1,
      succeeded: 0,
      failed: 0,
      cancelled: 0,
    },
    ...rest,
  };
}

export function node(job: number, step: string, rest: Partial<GraphNode> = {}): GraphNode {
  return {
    job,
    step,
    task: 'demo.add',
    status: 'queued',
    attempts: 0,
    max_attempts: 3,
    on_failure: 'cancel',
    waits_for: 0,
    available_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    percent: null,
    ...rest,
  };
}

/** A graph of steps with their parents; ids are given in their order, from 1 on. */
export function graph(
  parents: Record<string, string[]>,
  rest: Record<string, Partial<GraphNode>> = {},
): Graph {
  const names = Object.keys(parents);
  const id = (name: string) => names.indexOf(name) + 1;
  return {
    steps: names.length,
    complete: true,
    critical_path: [],
    nodes: names.map((name) => node(id(name), name, rest[name])),
    edges: names.flatMap((child) =>
      (parents[child] ?? []).map((parent) => [id(parent), id(child)]),
    ),
  };
}

export function failure(message: string, rest: Partial<Failure> = {}): Failure {
  return {
    fingerprint: 'f'.repeat(32),
    task: 'demo.add',
    queue: 'default',
    exception: 'shop.errors.Declined',
    culprit: 'shop.pay:charge',
    message,
    status: 'open',
    occurrences: 5,
    failed: exact(2),
    retrying: exact(0),
    hours: [...Array(22).fill(0), 3, 2],
    hours_begin_at: '2026-01-01T00:00:00Z',
    first_seen_at: '2026-01-01T00:00:00Z',
    last_seen_at: '2026-01-01T23:00:00Z',
    first_release: '',
    last_release: '',
    is_new: false,
    reopened_at: null,
    ignore_until_count: null,
    note: '',
    changed_by: '',
    changed_at: null,
    payload_visible: true,
    samples: [],
    common_values: [],
    ...rest,
  };
}

export function operation(
  rest: Partial<Schemas['QForgeOperation']> = {},
): Schemas['QForgeOperation'] {
  return {
    id: 12,
    action: 'retry',
    status: 'running',
    filter: { status: ['failed'], queue: 'mail' },
    named: null,
    matched: 100,
    done: 0,
    also_changed: 0,
    skipped: 0,
    failed: 0,
    rate_per_second: null,
    actor: 'ada',
    reason: 'the receiver is back',
    error: '',
    cancelled_by: '',
    cancel_reason: '',
    runner_job: { id: 77, status: 'running' },
    allowed_actions: ['cancel'],
    created_at: '2026-01-01T00:00:00Z',
    started_at: '2026-01-01T00:00:00Z',
    finished_at: null,
    ...rest,
  };
}
