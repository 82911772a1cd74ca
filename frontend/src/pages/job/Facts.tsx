import { Link } from 'wouter';
import type { Job } from '../../api/client';
import { duration } from '../../lib/format';
import { Elapsed } from '../../ui/Elapsed';
import { Time } from '../../ui/Time';
import ui from '../../ui/ui.module.css';
import { stepAddress } from '../workflow/addresses';
import css from './job.module.css';
import { Why } from './Why';

function Progress({ value }: { value: unknown }) {
  const { percent, message } = (value ?? {}) as { percent?: number; message?: string };
  if (typeof percent !== 'number' && !message) return null;
  return (
    <div className={css.progress}>
      {typeof percent === 'number' && (
        <progress max={100} value={percent} aria-label="Progress">
          {percent} %
        </progress>
      )}
      <span>
        {typeof percent === 'number' && `${Math.round(percent)} %`} {message}
      </span>
    </div>
  );
}

export function Facts({ job }: { job: Job }) {
  return (
    <section className={`${ui.card} ${css.facts}`} aria-label="Facts">
      <Why job={job} />
      <Progress value={job.progress} />
      <dl className={ui.pairs}>
        <div>
          <dt>Queue</dt>
          <dd>
            <Link href={`/queues#${encodeURIComponent(job.queue)}`}>{job.queue}</Link>
          </dd>
        </div>
        <div>
          <dt>Attempts</dt>
          <dd>
            {job.attempts} of {job.max_attempts}
          </dd>
        </div>
        <div>
          <dt>Priority</dt>
          <dd>{job.priority}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={job.created_at} />
          </dd>
        </div>
        <div>
          <dt>{job.status === 'scheduled' ? 'Due' : 'Was due'}</dt>
          <dd>
            <Time at={job.available_at} />
          </dd>
        </div>
        <div>
          <dt>Ran</dt>
          <dd>
            {job.status === 'running' || job.finished_at ? (
              <Elapsed from={job.started_at} to={job.finished_at} />
            ) : (
              '–'
            )}
          </dd>
        </div>
        <div>
          <dt>Finished</dt>
          <dd>
            <Time at={job.finished_at} />
          </dd>
        </div>
        <div>
          <dt>Timeout</dt>
          <dd>{job.timeout_seconds === null ? 'none' : duration(job.timeout_seconds)}</dd>
        </div>
        {job.workflow !== null && (
          <div className={css.whole}>
            <dt>Step of a workflow</dt>
            <dd>
              <Link href={stepAddress(job.workflow, job.step)}>
                {job.step} in workflow {job.workflow}
              </Link>
            </dd>
          </div>
        )}
        {job.idempotency_key !== null && (
          <div className={css.whole}>
            <dt>Idempotency key</dt>
            <dd className="mono">{job.idempotency_key}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
