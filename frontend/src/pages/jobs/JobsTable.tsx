import type { Ref } from 'react';
import { Link, useLocation } from 'wouter';
import type { JobRow } from '../../api/client';
import { shownStatus } from '../../lib/statuses';
import { Elapsed } from '../../ui/Elapsed';
import { StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import css from './jobs.module.css';

/** The moment that matters for a job in its status. */
function When({ job }: { job: JobRow }) {
  if (job.status === 'scheduled') {
    return (
      <>
        due <Time at={job.available_at} />
      </>
    );
  }
  return (
    <Time at={job.finished_at ?? (job.status === 'running' ? job.started_at : job.created_at)} />
  );
}

function note(job: JobRow): string {
  if (job.error_preview && job.status !== 'succeeded') return job.error_preview;
  return job.payload_preview === '{}' ? '' : job.payload_preview;
}

function Row({ job, chosen }: { job: JobRow; chosen: boolean }) {
  const [, navigate] = useLocation();
  const href = `/jobs/${job.id}`;
  return (
    <tr
      className={css.row}
      data-chosen={chosen}
      onClick={(event) => {
        const onLink = (event.target as Element).closest('a, button');
        if (!onLink && !window.getSelection()?.toString()) navigate(href);
      }}
    >
      <td className={css.statusCell}>
        <StatusPill status={shownStatus(job)} />
      </td>
      <th scope="row" className={`${table.main} ${css.taskCell}`}>
        <Link className={table.clip} href={href} title={job.task}>
          {job.task} <span className={table.sub}>#{job.id}</span>
        </Link>
        {note(job) && <span className={`${table.clip} ${table.sub} mono`}>{note(job)}</span>}
      </th>
      <td data-label="Queue">
        <span className={table.clip} title={job.queue}>
          {job.queue}
        </span>
      </td>
      <td data-label="Attempt" className={`${table.num} ${table.end}`}>
        {job.attempts} of {job.max_attempts}
      </td>
      <td data-label="When" className={table.nowrap}>
        <When job={job} />
      </td>
      <td
        data-label="Run"
        className={`${table.num} ${table.end} ${css.run} ${job.started_at ? '' : table.empty}`}
      >
        {job.status === 'running' || job.finished_at ? (
          <Elapsed from={job.started_at} to={job.finished_at} />
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}

interface Props {
  jobs: JobRow[];
  chosen: number | null;
  bodyRef: Ref<HTMLTableSectionElement>;
}

export function JobsTable({ jobs, chosen, bodyRef }: Props) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <caption className="visually-hidden">Jobs</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Task</th>
            <th scope="col">Queue</th>
            <th scope="col" className={table.num}>
              Attempt
            </th>
            <th scope="col">When</th>
            <th scope="col" className={`${table.num} ${css.run}`}>
              Run
            </th>
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {jobs.map((job) => (
            <Row key={job.id} job={job} chosen={job.id === chosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
