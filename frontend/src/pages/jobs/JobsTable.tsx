import type { Ref } from 'react';
import { Link, useLocation } from 'wouter';
import type { JobRow } from '../../api/client';
import { shownStatus } from '../../lib/statuses';
import { Elapsed } from '../../ui/Elapsed';
import { StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import css from './jobs.module.css';
import type { Selection } from './selection';

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

interface RowProps {
  job: JobRow;
  chosen: boolean;
  selected: boolean;
  onSelect?: (range: boolean) => void;
}

function Row({ job, chosen, selected, onSelect }: RowProps) {
  const [, navigate] = useLocation();
  const href = `/jobs/${job.id}`;
  return (
    <tr
      className={css.row}
      data-chosen={chosen}
      data-selectable={onSelect !== undefined}
      data-selected={selected}
      onClick={(event) => {
        const onLink = (event.target as Element).closest('a, button, label');
        if (!onLink && !window.getSelection()?.toString()) navigate(href);
      }}
    >
      {onSelect && (
        <td className={css.selectCell}>
          <label className={css.select} title="Select (x), up to here (Shift)">
            <input
              type="checkbox"
              aria-label={`Select job ${job.id}`}
              checked={selected}
              onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
            />
          </label>
        </td>
      )}
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
  /** Without it no row can be selected. */
  selection?: Selection;
}

function SelectPage({ jobs, selection }: { jobs: JobRow[]; selection: Selection }) {
  const count = jobs.filter(({ id }) => selection.has(id)).length;
  return (
    <label className={css.select} title="Select the page">
      <input
        type="checkbox"
        aria-label="Select the page"
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < jobs.length;
        }}
        checked={count === jobs.length}
        onChange={() => selection.page(jobs)}
      />
    </label>
  );
}

export function JobsTable({ jobs, chosen, bodyRef, selection }: Props) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <caption className="visually-hidden">Jobs</caption>
        <thead>
          <tr>
            {selection && (
              <td className={css.selectCell}>
                <SelectPage jobs={jobs} selection={selection} />
              </td>
            )}
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
            <Row
              key={job.id}
              job={job}
              chosen={job.id === chosen}
              selected={selection?.has(job.id) ?? false}
              onSelect={selection && ((range) => selection.toggle(job.id, range, jobs))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
