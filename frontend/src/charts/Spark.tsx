import { count } from '../lib/format';
import css from './charts.module.css';

const WIDTH = 96;
const HEIGHT = 22;

/** A row of small bars, of which only the shape matters; the words say the rest. */
export function Spark({ points, label }: { points: number[]; label: string }) {
  const most = Math.max(...points, 1);
  const step = WIDTH / points.length;
  const text = `${label}: ${count(points.at(-1) ?? 0)} now, at most ${count(Math.max(...points, 0))}`;
  return (
    <svg className={css.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
      <title>{text}</title>
      {points.map((point, n) => {
        const height = point ? Math.max((point / most) * HEIGHT, 1.5) : 0.75;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={n}
            x={n * step}
            y={HEIGHT - height}
            width={step - 1}
            height={height}
            rx={0.75}
            data-none={point === 0}
          />
        );
      })}
    </svg>
  );
}
