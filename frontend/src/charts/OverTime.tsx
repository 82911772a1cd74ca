import { useSearchParams } from 'wouter';
import { RANGES, type Range, type Timeseries, useTimeseries } from '../api/charts';
import { duration } from '../lib/format';
import { Card } from '../ui/Card';
import { Loaded } from '../ui/states';
import { Chart } from './Chart';
import css from './overTime.module.css';
import { type ChartData, type Point, type Series, timesOf } from './series';

const WORDS: Record<Range, string> = { '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 d' };
const STEPS: Record<Range, string> = {
  '1h': 'a minute',
  '6h': '5 minutes',
  '24h': '15 minutes',
  '7d': 'an hour',
};

/** The range in the address, so that it stays with Back and can be sent to somebody. */
export function useRange(): [Range, (range: Range) => void] {
  const [params, setParams] = useSearchParams();
  const given = params.get('range') as Range | null;
  const range = given && RANGES.includes(given) ? given : '1h';
  const set = (next: Range) => {
    const changed = new URLSearchParams(params);
    if (next === '1h') changed.delete('range');
    else changed.set('range', next);
    setParams(changed, { replace: true });
  };
  return [range, set];
}

function Ranges({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <fieldset className={css.ranges}>
      <legend className="visually-hidden">Range</legend>
      {RANGES.map((one) => (
        <label key={one}>
          <input type="radio" name="range" checked={one === range} onChange={() => onChange(one)} />
          <span>{WORDS[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function chart(series: Timeseries, lines: Series[]): ChartData {
  const steps = lines[0]?.points.length ?? 0;
  return {
    times: timesOf(series.start, series.step_seconds, steps),
    stepSeconds: series.step_seconds,
    series: lines,
  };
}

function percentiles(series: Timeseries, points: Record<'p50' | 'p95' | 'p99', Point[]>) {
  return chart(series, [
    { name: '50 %', tone: 'running', points: points.p50 },
    { name: '95 %', tone: 'retrying', points: points.p95, dash: [6, 3] },
    { name: '99 %', tone: 'failed', points: points.p99, dash: [2, 3] },
  ]);
}

function Charts({ series, range }: { series: Timeseries; range: Range }) {
  const { counts, wait, run } = series;
  const ended = chart(series, [
    { name: 'Succeeded', tone: 'succeeded', points: counts.succeeded },
    { name: 'Failed', tone: 'failed', points: counts.failed },
    { name: 'Cancelled', tone: 'cancelled', points: counts.cancelled },
  ]);
  const per = `in ${STEPS[range]}`;
  return (
    <div className={css.charts}>
      <Chart title="Ended" unit={`jobs ${per}`} data={ended} stacked />
      <Chart
        title="Wait"
        unit="≈, due to start"
        data={percentiles(series, wait)}
        format={duration}
      />
      <Chart title="Run" unit="≈, start to end" data={percentiles(series, run)} format={duration} />
    </div>
  );
}

/** The charts of all queues, or of one. */
export function OverTime({ queue }: { queue?: string }) {
  const [range, setRange] = useRange();
  const found = useTimeseries(range, queue);
  return (
    <Card title="Over time" note={<Ranges range={range} onChange={setRange} />} padded>
      <div className={css.frame} aria-busy={found.isPlaceholderData}>
        <Loaded of={found} lines={7}>
          {(series) => <Charts series={series} range={range} />}
        </Loaded>
      </div>
    </Card>
  );
}
