import { useVirtualizer } from '@tanstack/react-virtual';
import { Flag, Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type GanttRow, useWorkflowGantt, type WorkflowSummary } from '../../api/workflows';
import { count } from '../../lib/format';
import { useNow } from '../../lib/now';
import { STATUSES } from '../../lib/statuses';
import { Button } from '../../ui/Button';
import { Loaded } from '../../ui/states';
import { type Axis, axisOf, barsOf, dotOf, ticks } from './gantt';
import css from './gantt.module.css';

const ROW = 32;
const LARGEST = 64;
/** Pages beyond which an update of all of them is no small thing. */
const FEW_PAGES = 3;

interface RowProps {
  row: GanttRow;
  axis: Axis;
  now: number;
  critical: boolean;
  top: number;
  onOpen: (step: string) => void;
}

function Row({ row, axis, now, critical, top, onOpen }: RowProps) {
  const { icon: Icon, word } = STATUSES[row.status];
  const bars = barsOf(row, axis, now);
  const dot = dotOf(row, axis);
  return (
    <li className={css.row} style={{ top, height: ROW }}>
      <button type="button" className={css.name} onClick={() => onOpen(row.step)} title={row.step}>
        <Icon size={13} style={{ color: `var(--${row.status})` }} aria-label={word} role="img" />
        <span>{row.step}</span>
        {critical && <Flag size={11} aria-label="on the critical path" role="img" />}
        <span className="visually-hidden">{bars.map(({ text }) => text).join(', ')}</span>
      </button>
      <div className={css.track} aria-hidden>
        {bars.map(({ key, left, width, running, tone, open, text }) => (
          <i
            key={key}
            className={css.bar}
            data-critical={running && critical}
            title={`${row.step}: ${text}`}
            data-run={running}
            data-open={open}
            style={{
              insetInlineStart: `min(${left * 100}%, calc(100% - 3px))`,
              width: `max(3px, ${width * 100}%)`,
              color: `var(--${tone})`,
            }}
          />
        ))}
        {dot !== undefined && (
          <b
            title={`${row.step}: ${word.toLowerCase()}`}
            style={{ insetInlineStart: `${dot * 100}%`, color: `var(--${row.status})` }}
          />
        )}
      </div>
    </li>
  );
}

interface ChartProps {
  workflow: WorkflowSummary;
  rows: GanttRow[];
  critical: ReadonlySet<number>;
  onOpen: (step: string) => void;
  /** Asks for more rows; undefined when all are there or on their way. */
  onMore?: () => void;
}

function Chart({ workflow, rows, critical, onOpen, onMore }: ChartProps) {
  const view = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const clock = useNow();
  const now = Math.max(clock, Date.parse(workflow.created_at));
  const axis = axisOf(workflow, rows, now);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onMore?.();
  }, [last, rows.length, onMore]);
  return (
    <>
      <div className={css.toolbar}>
        <ul className={css.legend} aria-label="What the bars mean">
          <li>
            <i
              className={`${css.bar} ${css.sample}`}
              data-run="true"
              style={{ color: 'var(--succeeded)' }}
            />{' '}
            an attempt, by its outcome
          </li>
          <li>
            <i className={`${css.bar} ${css.sample}`} style={{ color: 'var(--blocked)' }} /> blocked
          </li>
          <li>
            <i className={`${css.bar} ${css.sample}`} style={{ color: 'var(--queued)' }} /> queued
          </li>
          <li>
            <i className={`${css.bar} ${css.sample}`} style={{ color: 'var(--retrying)' }} /> waits
            to be retried
          </li>
          <li>
            <Flag size={12} aria-hidden /> critical path
          </li>
        </ul>
        <span className={css.tools}>
          <Button
            iconOnly
            aria-label="Narrow the time axis"
            title="Narrow"
            disabled={zoom === 1}
            onClick={() => setZoom(zoom / 2)}
          >
            <Minus size={15} aria-hidden />
          </Button>
          <Button
            iconOnly
            aria-label="Widen the time axis"
            title="Widen"
            disabled={zoom === LARGEST}
            onClick={() => setZoom(zoom * 2)}
          >
            <Plus size={15} aria-hidden />
          </Button>
        </span>
      </div>
      <section
        ref={view}
        className={css.view}
        aria-label="Steps over time, in the order in which they started"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        <div style={{ width: `${zoom * 100}%` }} className={css.sheet}>
          <div className={css.axis} aria-hidden>
            <span className={css.corner}>{count(workflow.progress.steps)} steps</span>
            <div className={`${css.track} ${css.ticks}`}>
              {ticks(axis, zoom).map(({ left, label }) => (
                <span key={label} style={{ insetInlineStart: `${left * 100}%` }}>
                  {label}
                </span>
              ))}
            </div>
          </div>
          <ul className={css.rows} style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const row = rows[index];
              return row ? (
                <Row
                  key={row.job}
                  row={row}
                  axis={axis}
                  now={now}
                  critical={critical.has(row.job)}
                  top={start}
                  onOpen={onOpen}
                />
              ) : null;
            })}
          </ul>
        </div>
      </section>
    </>
  );
}

interface Props {
  workflow: WorkflowSummary;
  onOpen: (step: string) => void;
}

/** When each step waited and ran, attempt by attempt, on one axis. */
export function GanttTab({ workflow, onOpen }: Props) {
  const [many, setMany] = useState(false);
  const gantt = useWorkflowGantt(workflow.id, !many);
  const pages = gantt.data?.pages.length ?? 0;
  useEffect(() => setMany(pages > FEW_PAGES), [pages]);
  const { hasNextPage, isFetching, fetchNextPage } = gantt;
  const more = hasNextPage && !isFetching ? () => void fetchNextPage() : undefined;
  return (
    <Loaded of={gantt} lines={10}>
      {({ pages }) => (
        <Chart
          workflow={workflow}
          rows={distinct(pages.flatMap(({ results }) => results))}
          critical={new Set(pages.at(0)?.critical_path)}
          onOpen={onOpen}
          onMore={more}
        />
      )}
    </Loaded>
  );
}

/** A step that started between two questions is on two pages; it is shown once. */
export function distinct(rows: GanttRow[]): GanttRow[] {
  const seen = new Set<number>();
  return rows.filter(({ job }) => !seen.has(job) && seen.add(job));
}
