import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '../ui/Button';
import css from './charts.module.css';
import { Plot } from './Plot';
import { PointsTable } from './PointsTable';
import { type ChartData, isEmpty, moment, short, summary } from './series';

interface Props {
  title: string;
  /** Beside the title: what the numbers are. */
  unit: string;
  data: ChartData;
  stacked?: boolean;
  format?: (value: number) => string;
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_, last) => last,
};

/** The latest step about which anything is known. */
function latestOf({ series, times }: ChartData): number {
  for (let step = times.length - 1; step > 0; step--) {
    if (series.some(({ points }) => points[step] !== null)) return step;
  }
  return 0;
}

/** A chart for everybody: drawn, in words, as a table, and point by point with the arrow keys. */
export function Chart({ title, unit, data, stacked = false, format }: Props) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const [spoken, setSpoken] = useState('');
  const [table, setTable] = useState(false);
  const say = format ?? short;
  const value = (point: number | null | undefined) =>
    point === null || point === undefined ? '–' : say(point);
  const last = data.times.length - 1;
  const shown = at ?? latestOf(data);
  const when = moment(data.times[shown] ?? 0, data.stepSeconds);
  const onKeyDown = (event: KeyboardEvent) => {
    const move = STEPS[event.key];
    if (event.key === 'Escape') setAt(null);
    if (!move) return;
    event.preventDefault();
    const next = Math.min(Math.max(move(shown, last), 0), last);
    setAt(next);
    const values = data.series.map(({ name, points }) => `${name} ${value(points[next])}`);
    setSpoken(`${moment(data.times[next] ?? 0, data.stepSeconds)}: ${values.join(', ')}`);
  };
  return (
    <figure className={css.chart} aria-labelledby={id}>
      <header className={css.head}>
        <h3 id={id}>
          {title} <span className={css.unit}>{unit}</span>
        </h3>
        <Button look="ghost" aria-pressed={table} onClick={() => setTable(!table)}>
          {table ? 'Show as chart' : 'Show as table'}
        </Button>
      </header>
      <div className={css.legend}>
        {data.series.map(({ name, tone, points }) => (
          <span key={name} style={{ color: `var(--${tone})` }}>
            <i aria-hidden data-line={!stacked} /> {name} <b>{value(points[shown])}</b>
          </span>
        ))}
        <span className={css.when}>{isEmpty(data) ? '' : when}</span>
      </div>
      {table ? (
        <PointsTable data={data} value={value} title={title} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a group of controls is no fieldset
        <div
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go through the points
          tabIndex={0}
          aria-label={`${title}: arrow keys go from point to point`}
          className={css.reader}
          onKeyDown={onKeyDown}
          onBlur={() => setAt(null)}
        >
          <Plot
            data={data}
            stacked={stacked}
            whole={!format}
            format={say}
            at={at}
            onCursor={setAt}
          />
          {isEmpty(data) && <p className={css.nothing}>Nothing is known yet</p>}
        </div>
      )}
      <figcaption className="visually-hidden">
        {summary(data, say) || 'Nothing is known yet.'}
      </figcaption>
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </figure>
  );
}
