import { Link } from 'wouter';
import type { WorkflowSummary } from '../../api/workflows';
import { count } from '../../lib/format';
import { ORDER, STATUSES } from '../../lib/statuses';
import { Elapsed } from '../../ui/Elapsed';
import { Time } from '../../ui/Time';
import ui from '../../ui/ui.module.css';
import { Progress } from '../workflows/Progress';
import { about } from '../workflows/words';
import { stepAddress } from './addresses';
import css from './workflow.module.css';

export function WorkflowFacts({ workflow }: { workflow: WorkflowSummary }) {
  const { counts } = workflow;
  return (
    <section className={`${ui.card} ${css.facts}`} aria-label="Facts">
      <p className={css.about}>
        {about(workflow)}
        {workflow.failed_step !== null && (
          <>
            {': '}
            <Link href={stepAddress(workflow.id, workflow.failed_step)}>
              {workflow.failed_step}
            </Link>
            {workflow.progress.failed > 1 && ` and ${count(workflow.progress.failed - 1)} more`}
          </>
        )}
        .
      </p>
      <Progress of={workflow} />
      <ul className={css.counts} aria-label="Steps by status">
        {ORDER.filter((status) => counts[status] > 0).map((status) => {
          const { icon: Icon, word } = STATUSES[status];
          return (
            <li key={status}>
              <Link href={`/workflows/${workflow.id}?tab=steps&status=${status}`}>
                <Icon size={14} aria-hidden style={{ color: `var(--${status})` }} />
                {word} <b>{count(counts[status])}</b>
              </Link>
            </li>
          );
        })}
      </ul>
      <dl className={ui.pairs}>
        <div>
          <dt>Submitted</dt>
          <dd>
            <Time at={workflow.created_at} />
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={workflow.started_at} />
          </dd>
        </div>
        <div>
          <dt>Finished</dt>
          <dd>
            <Time at={workflow.finished_at} />
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>
            <Elapsed from={workflow.created_at} to={workflow.finished_at} />
          </dd>
        </div>
        {workflow.rerun_of !== null && (
          <div>
            <dt>Rerun of</dt>
            <dd>
              <Link href={`/workflows/${workflow.rerun_of}`}>workflow {workflow.rerun_of}</Link>
            </dd>
          </div>
        )}
        {workflow.idempotency_key !== null && (
          <div>
            <dt>Idempotency key</dt>
            <dd className="mono">{workflow.idempotency_key}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
