import type { Job } from '../../api/client';
import { useWhy } from '../../api/queries';
import css from './job.module.css';

/** Why the job is where it is: the first reason in a line, the others small below it. */
export function Why({ job }: { job: Job }) {
  const { data, error } = useWhy(job.id, job.status);
  if (error && !data) return null;
  const [first, ...others] = data?.reasons ?? [];
  return (
    <div className={css.why}>
      <p>{first?.summary ?? '\u00a0'}</p>
      {others.length > 0 && (
        <ul aria-label="Further reasons">
          {others.map(({ code, summary }) => (
            <li key={code}>{summary}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
