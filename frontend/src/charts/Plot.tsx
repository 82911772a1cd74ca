import { useEffect, useRef, useSyncExternalStore } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../lib/preferences';
import css from './charts.module.css';
import { alone, type ChartData, marks, type Series, stacked as stackedPoints } from './series';

const HEIGHT = 180;
const dark = matchMedia('(prefers-color-scheme: dark)');

function useScheme(): string {
  const { theme } = usePreferences();
  const system = useSyncExternalStore(
    (listener) => {
      dark.addEventListener('change', listener);
      return () => dark.removeEventListener('change', listener);
    },
    () => dark.matches,
  );
  return `${theme} ${system}`;
}

/** A colour of the look as the canvas understands it. */
function colour(within: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  within.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function lines(within: HTMLElement, series: Series[], bars: boolean): uPlot.Series[] {
  return series.map(({ name, tone, dash }) => {
    const stroke = colour(within, tone);
    if (bars) {
      const paths = uPlot.paths.bars?.({ size: [0.8, 24], gap: 1 });
      return { label: name, fill: stroke, width: 0, points: { show: false }, paths };
    }
    const points: uPlot.Series.Points = {
      size: 4,
      fill: stroke,
      width: 0,
      filter: (plot, n, all) => (all ? null : alone(plot.data[n] ?? [])),
    };
    return { label: name, stroke, width: 1.5, dash, points };
  });
}

function options(within: HTMLElement, props: Props): uPlot.Options {
  const ink = colour(within, 'ink-3');
  const line = colour(within, 'line');
  const font = `11px ${getComputedStyle(within).fontFamily}`;
  const axis = { stroke: ink, font, ticks: { show: false } };
  return {
    width: within.clientWidth,
    height: HEIGHT,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !props.stacked } },
    scales: {
      x: { time: true },
      // Never flat on the ground, and with room above the highest point.
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        values: (_, ticks) => marks(ticks, (ticks[1] ?? 0) - (ticks[0] ?? 0)),
      },
      {
        ...axis,
        size: 58,
        grid: { stroke: line, width: 1 },
        values: (_, ticks) => ticks.map((tick) => props.format(tick)),
        incrs: props.whole ? WHOLE : undefined,
      },
    ],
    series: [{}, ...lines(within, props.data.series, props.stacked)],
    hooks: { setCursor: [(plot) => props.onCursor(plot.cursor.idx ?? null)] },
  };
}

const WHOLE = [1, 2, 5].flatMap((digit) => Array.from({ length: 9 }, (_, n) => digit * 10 ** n));
WHOLE.sort((a, b) => a - b);

function aligned({ data, stacked }: Props): uPlot.AlignedData {
  const points = stacked ? stackedPoints(data.series) : data.series.map((one) => one.points);
  return [data.times, ...points];
}

interface Props {
  data: ChartData;
  /** Bars on top of each other instead of lines. */
  stacked: boolean;
  /** The values are whole numbers. */
  whole: boolean;
  format: (value: number) => string;
  /** The step that is pointed at. */
  at: number | null;
  onCursor: (step: number | null) => void;
}

/** The drawing alone, for eyes and pointers; whoever shows it gives it words. */
export function Plot(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const scheme = useScheme();
  const shape = props.data.series.map(({ name, tone }) => `${name} ${tone}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew for another look or shape
  useEffect(() => {
    const within = box.current;
    if (!within) return;
    const given: Props = {
      ...latest.current,
      format: (value) => latest.current.format(value),
      onCursor: (step) => latest.current.onCursor(step),
    };
    const made = new uPlot(options(within, given), aligned(given), within);
    plot.current = made;
    const resized = new ResizeObserver(() => {
      made.setSize({ width: within.clientWidth, height: HEIGHT });
    });
    resized.observe(within);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [scheme, shape, props.stacked]);
  const { data, at } = props;
  useEffect(() => {
    plot.current?.setData(aligned({ ...latest.current, data }));
  }, [data]);
  useEffect(() => {
    const drawn = plot.current;
    const time = at === null ? undefined : latest.current.data.times[at];
    if (!drawn || at === (drawn.cursor.idx ?? null)) return;
    const left = time === undefined ? -10 : drawn.valToPos(time, 'x');
    drawn.setCursor({ left, top: time === undefined ? -10 : 10 }, false);
  }, [at]);
  return <div ref={box} className={css.plot} style={{ height: HEIGHT }} aria-hidden />;
}
