import type { GanttRow, WorkflowSummary } from '../../api/workflows';
import { duration } from '../../lib/format';
import { type ShownStatus, STATUSES } from '../../lib/statuses';

/** A stretch of time on the axis, in milliseconds since the epoch. */
export interface Axis {
  from: number;
  to: number;
}

export interface Bar {
  key: number;
  /** Of the axis, from 0 to 1. */
  left: number;
  width: number;
  running: boolean;
  tone: ShownStatus;
  open: boolean;
  text: string;
}

const STEPS_SECONDS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800,
  86_400, 172_800, 604_800,
];
const MOST_TICKS = 7;

/** From the submission to the end, or until now. Later spans of retried steps widen it. */
export function axisOf(workflow: WorkflowSummary, rows: readonly GanttRow[], now: number): Axis {
  const from = Date.parse(workflow.created_at);
  const ends = rows.flatMap(({ spans }) =>
    spans.map(({ to }) => (to === null ? now : Date.parse(to))),
  );
  const end = workflow.finished_at === null ? now : Date.parse(workflow.finished_at);
  return { from, to: ends.reduce((a, b) => Math.max(a, b), Math.max(end, from + 1)) };
}

/** Moments to label, with the time since the beginning; `room` times as many when zoomed. */
export function ticks({ from, to }: Axis, room = 1): { left: number; label: string }[] {
  const seconds = (to - from) / 1000;
  const step =
    STEPS_SECONDS.find((size) => seconds / size <= MOST_TICKS * room) ??
    Math.ceil(seconds / (MOST_TICKS * room));
  const count = Math.floor(seconds / step) + 1;
  return Array.from({ length: count }, (_, n) => ({
    left: (n * step) / seconds,
    label: n === 0 ? '0' : duration(n * step),
  }));
}

type Span = GanttRow['spans'][number];

function toneOf(span: Span): ShownStatus {
  if (span.status !== 'running') return span.retry ? 'retrying' : span.status;
  if (span.ended_by === 'failed' || span.ended_by === 'rescued') return 'failed';
  if (span.ended_as === 'succeeded' || span.ended_as === 'cancelled') return span.ended_as;
  return 'running';
}

const ENDS: Record<string, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  rescued: 'lost its worker',
  released: 'was given back',
  cancelled: 'was cancelled',
};

function textOf(span: Span, seconds: number): string {
  const took = duration(seconds);
  if (span.status !== 'running') {
    return `${STATUSES[span.retry ? 'retrying' : span.status].word.toLowerCase()} for ${took}`;
  }
  const end = span.ended_by === null ? 'running' : (ENDS[span.ended_by] ?? span.ended_by);
  return `attempt ${span.attempt} ${end === 'running' ? 'running for' : `${end} after`} ${took}`;
}

export function barsOf({ spans }: GanttRow, axis: Axis, now: number): Bar[] {
  const whole = axis.to - axis.from;
  return spans.map((span, key) => {
    const from = Date.parse(span.from);
    const to = span.to === null ? Math.max(now, from) : Date.parse(span.to);
    return {
      key,
      left: Math.max(from - axis.from, 0) / whole,
      width: (to - from) / whole,
      running: span.status === 'running',
      tone: toneOf(span),
      open: span.to === null,
      text: textOf(span, (to - from) / 1000),
    };
  });
}

/** Where on the axis a step ended that never ran; undefined for any other. */
export function dotOf(row: GanttRow, axis: Axis): number | undefined {
  const ran = row.spans.some(({ status }) => status === 'running');
  if (ran || row.finished_at === null) return undefined;
  return Math.max(Date.parse(row.finished_at) - axis.from, 0) / (axis.to - axis.from);
}
