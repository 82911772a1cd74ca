import type { Operation } from '../../api/queries';
import css from './operations.module.css';
import { handled, share } from './words';

/** What was done, skipped and failed, each with its part of the bar. */
export function ProgressBar({ operation, thin }: { operation: Operation; thin?: boolean }) {
  const part = share(operation);
  const all = Math.max(operation.matched ?? 0, handled(operation), 1);
  const width = (number: number) => `${(100 * number) / all}%`;
  const rest = operation.status === 'succeeded' ? all - operation.skipped - operation.failed : null;
  return (
    <div
      className={css.bar}
      data-thin={thin}
      data-waiting={operation.status === 'pending'}
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === undefined ? undefined : Math.floor(part * 100)}
    >
      <i className={css.done} style={{ width: width(rest ?? operation.done) }} />
      <i className={css.skipped} style={{ width: width(operation.skipped) }} />
      <i className={css.failed} style={{ width: width(operation.failed) }} />
    </div>
  );
}
