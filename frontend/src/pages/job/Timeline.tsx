import type { JobEvent } from '../../api/client';
import { duration } from '../../lib/format';
import { useNow } from '../../lib/now';
import { STATUSES } from '../../lib/statuses';
import { Card } from '../../ui/Card';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import css from './job.module.css';
import { type Span, spans } from './timeline';

const OUTCOMES: Partial<Record<JobEvent['kind'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  rescued: 'lost its worker',
  released: 'given back',
  cancelled: 'cancelled',
};

function tone({ status, outcome }: Span): string {
  if (outcome === 'failed' || outcome === 'rescued') return 'failed';
  if (outcome === 'succeeded' || outcome === 'cancelled') return outcome;
  return status;
}

function What({ span }: { span: Span }) {
  if (span.status !== 'running') return <>{STATUSES[span.status].word}</>;
  const ended = span.outcome ? (OUTCOMES[span.outcome] ?? span.outcome) : 'running';
  return (
    <>
      Attempt {span.attempt} <span className={table.sub}>{ended}</span>
    </>
  );
}

interface RowProps {
  span: Span;
  start: number;
  end: number;
  now: number;
}

function Row({ span, start, end, now }: RowProps) {
  const to = span.to ?? now;
  const whole = Math.max(end - start, 1);
  const left = ((span.from - start) / whole) * 100;
  const width = (Math.max(to - span.from, 0) / whole) * 100;
  return (
    <tr>
      <th scope="row" className={table.nowrap}>
        <What span={span} />
      </th>
      <td className={css.track} aria-hidden>
        <i
          data-kind={span.status === 'running' ? 'run' : 'wait'}
          data-open={span.to === null}
          style={{
            insetInlineStart: `min(${left}%, calc(100% - 4px))`,
            width: `max(4px, ${width}%)`,
            color: `var(--${tone(span)})`,
          }}
        />
      </td>
      <td className={table.num} data-label="Took">
        {duration((to - span.from) / 1000)}
      </td>
      <td className={table.nowrap} data-label="From">
        <Time at={new Date(span.from).toISOString()} />
      </td>
      <td className={`${css.outcome} ${table.wide} ${span.worker || span.note ? '' : table.empty}`}>
        <span className={table.clip} title={span.note || span.worker}>
          {span.worker}
          {span.worker && span.note && ' · '}
          {span.note}
        </span>
      </td>
    </tr>
  );
}

/** Waits and attempts on one axis. The table is also what a screen reader gets. */
export function Timeline({ events, ended }: { events: JobEvent[]; ended: boolean }) {
  const clock = useNow();
  const found = spans(events);
  const last = found.at(-1);
  if (!last) return null;
  const start = found[0]?.from ?? clock;
  const now = ended ? Math.max(...found.map(({ to, from }) => to ?? from)) : Math.max(clock, start);
  const end = Math.max(now, ...found.map(({ to }) => to ?? 0));
  return (
    <Card title="Timeline" note={<>{duration((end - start) / 1000)} in all</>}>
      <div className={table.scroll}>
        <table className={`${table.table} ${table.cards} ${css.timeline}`}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <td className={css.trackHead} aria-hidden />
              <th scope="col" className={table.num}>
                Took
              </th>
              <th scope="col">From</th>
              <th scope="col">Worker and outcome</th>
            </tr>
          </thead>
          <tbody>
            {found.map((span) => (
              <Row key={span.key} span={span} start={start} end={end} now={now} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
