import type { WorkflowRow } from '../../api/workflows';
import { count } from '../../lib/format';
import css from './workflows.module.css';

const PARTS = [
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['running', 'running'],
] as const;

/** How many steps ended, and how; in a bar and in words. */
export function Progress({ of: workflow }: { of: Pick<WorkflowRow, 'progress'> }) {
  const { progress } = workflow;
  const parts = PARTS.map(([key, word]) => ({ key, word, steps: progress[key] })).filter(
    ({ steps }) => steps > 0,
  );
  const ended = progress.steps - progress.open;
  const others = parts.filter(({ key }) => key !== 'succeeded');
  return (
    <div className={css.progress}>
      <div className={css.bar} aria-hidden>
        {parts.map(({ key, steps }) => (
          <i key={key} style={{ flexGrow: steps, background: `var(--${key})` }} data-part={key} />
        ))}
        {progress.open > progress.running && (
          <i style={{ flexGrow: progress.open - progress.running }} />
        )}
      </div>
      <span className={css.progressText}>
        {count(ended)} of {count(progress.steps)}
        {others.map(({ key, word, steps }) => (
          <span key={key} style={{ color: `var(--${key})` }}>
            {' '}
            · {count(steps)} {word}
          </span>
        ))}
      </span>
    </div>
  );
}
