import css from './failures.module.css';
import { trend } from './words';

const WIDTH = 120;
const HEIGHT = 28;
const LEAST = 2;

/** The hours of a day as bars; the text says the same to whoever does not see them. */
export function Sparkline({ hours }: { hours: readonly number[] }) {
  const most = Math.max(...hours, 1);
  const step = WIDTH / hours.length;
  return (
    <svg
      className={css.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={trend(hours)}
    >
      <title>{trend(hours)}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className={css.base} />
      {hours.map((number, hour) => {
        const height = number === 0 ? 0 : Math.max((number / most) * (HEIGHT - 2), LEAST);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            key={hour}
            x={hour * step + 0.75}
            y={HEIGHT - 1 - height}
            width={step - 1.5}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
