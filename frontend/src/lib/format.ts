const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const;

/** Seconds as people say them: `1 m 12 s`, `410 ms`; a dash for none. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return '–';
  const value = Math.max(seconds, 0);
  if (value < 0.9995) return `${Math.round(value * 1000)} ms`;
  if (value < 59.95) return `${value.toFixed(1).replace(/\.0$/, '')} s`;
  const whole = Math.round(value);
  for (const [index, [size, name]] of UNITS.entries()) {
    const smaller = UNITS[index + 1];
    if (whole >= size && smaller) {
      const rest = Math.floor((whole % size) / smaller[0]);
      return `${Math.floor(whole / size)} ${name}${rest ? ` ${rest} ${smaller[1]}` : ''}`;
    }
  }
  return `${whole} s`;
}

/** A span in whole units, for texts that change every second: `12 s`, `3 m`. */
export function roughly(seconds: number): string {
  const value = Math.max(Math.round(seconds), 0);
  if (value < 60) return `${value} s`;
  // Seconds that count on behind minutes are only restless.
  return duration(value < 600 ? value : Math.floor(value / 60) * 60);
}

const NUMBER = new Intl.NumberFormat('en');

export function count(value: number): string {
  return NUMBER.format(value);
}

export interface Bounded {
  count: number;
  exact: boolean;
}

/** A bounded count: `1,204`, or `10,000+` when there are at least as many. */
export function bounded(value: Bounded | undefined): string {
  if (!value) return '–';
  return `${count(value.count)}${value.exact ? '' : '+'}`;
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** The time between two moments in seconds, never negative. */
export function between(from: string | null, to: string | null | number): number | null {
  if (from === null || to === null) return null;
  const end = typeof to === 'number' ? to : Date.parse(to);
  return Math.max((end - Date.parse(from)) / 1000, 0);
}

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  if (size < 1024 * 1024) return `${(size / 1024).toFixed(1)} KB`;
  return `${(size / 1024 / 1024).toFixed(1)} MB`;
}
