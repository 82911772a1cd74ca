import { count } from '../lib/format';

export type Point = number | null;

export interface Series {
  name: string;
  /** The name of a colour of the look, without its dashes. */
  tone: string;
  points: Point[];
  /** Lengths of strokes and gaps, so that lines differ by more than their colour. */
  dash?: number[];
}

/** What a chart shows. A point that is null is a gap: nothing is known there. */
export interface ChartData {
  /** Beginning of each step, in seconds since 1970. */
  times: number[];
  stepSeconds: number;
  series: Series[];
}

export function timesOf(start: string, stepSeconds: number, steps: number): number[] {
  const first = Date.parse(start) / 1000;
  return Array.from({ length: steps }, (_, step) => first + step * stepSeconds);
}

/** Each series as the sum of itself and those after it, so that bars drawn in turn look stacked. */
export function stacked(series: Series[]): Point[][] {
  const sums: Point[][] = [];
  let below: Point[] | undefined;
  for (const { points } of [...series].reverse()) {
    const before: Point[] | undefined = below;
    below = points.map((point, step) => (point === null ? null : point + (before?.[step] ?? 0)));
    sums.unshift(below);
  }
  return sums;
}

export function isEmpty({ series }: ChartData): boolean {
  return series.every(({ points }) => points.every((point) => point === null));
}

const SAME = 0.1;

function trend(points: number[]): string {
  const half = Math.floor(points.length / 2);
  if (half < 2) return '';
  const mean = (part: number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
  const before = mean(points.slice(0, half));
  const after = mean(points.slice(-half));
  if (Math.abs(after - before) <= SAME * Math.max(before, after)) return ', steady';
  return after > before ? ', rising' : ', falling';
}

/** A chart in words: for each series the latest value, the greatest, and where it is going. */
export function summary({ series }: ChartData, format: (value: number) => string): string {
  return series
    .flatMap(({ name, points }) => {
      const known = points.filter((point) => point !== null);
      const last = known.at(-1);
      if (last === undefined) return [];
      if (known.every((point) => point === 0)) return [`${name}: none`];
      const most = format(Math.max(...known));
      return [`${name}: latest ${format(last)}, most ${most}${trend(known)}`];
    })
    .join('. ');
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

export function clock(seconds: number): string {
  return CLOCK.format(seconds * 1000);
}

/** A step as people say it: `14:05`, or with its day when steps are long. */
export function moment(seconds: number, stepSeconds: number): string {
  const at = clock(seconds);
  return stepSeconds >= 900 ? `${DAY.format(seconds * 1000)}, ${at}` : at;
}

/** Texts of the marks of a time axis that are `apart` seconds from each other. */
export function marks(ticks: number[], apart: number): string[] {
  return ticks.map((tick) => (apart >= 43_200 ? DAY.format(tick * 1000) : clock(tick)));
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number for an axis: `1.2K`. */
export function short(value: number): string {
  return value < 10_000 ? count(value) : SHORT.format(value);
}

/** Places of values with none on either side: a line alone would not show them. */
export function alone(points: ArrayLike<number | null | undefined>): number[] {
  const is = (n: number) => points[n] !== null && points[n] !== undefined;
  return Array.from(points, (_, n) => n).filter((n) => is(n) && !is(n - 1) && !is(n + 1));
}
