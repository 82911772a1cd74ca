import type { GanttRow } from '../../api/workflows';
import { workflow } from '../../testing/samples';
import { distinct } from './GanttTab';
import { axisOf, barsOf, dotOf, ticks } from './gantt';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const now = Date.parse(at(10));

type Span = GanttRow['spans'][number];

function span(status: Span['status'], from: number, to: number | null, rest = {}): Span {
  return {
    status,
    retry: false,
    attempt: 1,
    worker: '',
    from: at(from),
    to: to === null ? null : at(to),
    ended_by: null,
    ended_as: null,
    ...rest,
  };
}

function row(job: number, spans: Span[], rest: Partial<GanttRow> = {}): GanttRow {
  const fixed = { task: 'demo.add', status: 'running', attempts: 1, finished_at: null } as const;
  return { job, step: `s${job}`, spans, spans_left_out: 0, ...fixed, ...rest };
}

test('every attempt is a bar of its own, coloured by its outcome', () => {
  const tried = row(1, [
    span('blocked', 0, 2),
    span('running', 2, 4, { ended_by: 'failed', ended_as: 'scheduled' }),
    span('scheduled', 4, 6, { retry: true }),
    span('running', 6, null, { attempt: 2 }),
  ]);
  const axis = axisOf(workflow(1), [tried], now);
  const bars = barsOf(tried, axis, now);
  expect(bars.map(({ tone, running }) => [tone, running])).toEqual([
    ['blocked', false],
    ['failed', true],
    ['retrying', false],
    ['running', true],
  ]);
  expect(bars.map(({ left, width }) => [left, width])).toEqual([
    [0, 0.2],
    [0.2, 0.2],
    [0.4, 0.2],
    [0.6, 0.4],
  ]);
  expect(bars.at(1)?.text).toBe('attempt 1 failed after 2 s');
  expect(bars.at(3)?.text).toBe('attempt 2 running for 4 s');
});

test('the axis ends with the workflow, or later when a step was retried since', () => {
  const ended = workflow(1, { status: 'failed', finished_at: at(5) });
  expect(axisOf(ended, [], now).to).toBe(Date.parse(at(5)));
  expect(axisOf(ended, [row(1, [span('running', 6, 8)])], now).to).toBe(Date.parse(at(8)));
});

test('the ticks are few and round, and more when there is room', () => {
  const axis = { from: 0, to: 95_000 };
  expect(ticks(axis).map(({ label }) => label)).toEqual([
    '0',
    '15 s',
    '30 s',
    '45 s',
    '1 m',
    '1 m 15 s',
    '1 m 30 s',
  ]);
  expect(ticks(axis, 2).length).toBeGreaterThan(7);
  expect(ticks({ from: 0, to: 400 * 86_400_000 }).length).toBeLessThanOrEqual(8);
});

test('a step that ended without having run is a dot at its end', () => {
  const never = row(1, [span('blocked', 0, 5)], { status: 'cancelled', finished_at: at(5) });
  const axis = { from: Date.parse(at(0)), to: now };
  expect(dotOf(never, axis)).toBe(0.5);
  expect(dotOf(row(2, [span('running', 0, 5)], { finished_at: at(5) }), axis)).toBeUndefined();
});

test('a step that is on two pages is shown once', () => {
  expect(distinct([row(1, []), row(2, []), row(1, [])]).map(({ job }) => job)).toEqual([1, 2]);
});
