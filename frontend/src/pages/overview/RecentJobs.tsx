import { Link } from 'wouter';
import type { JobRow } from '../../api/client';
import { shownStatus } from '../../lib/statuses';
import { StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';

/** A short list of jobs. */
export function RecentJobs({ jobs }: { jobs: JobRow[] }) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Status</th>
            <th scope="col" className={table.num}>
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <th scope="row" className={table.main}>
                <Link className={table.clip} href={`/jobs/${job.id}`}>
                  {job.task} <span className={table.sub}>#{job.id}</span>
                </Link>
              </th>
              <td>
                <StatusPill status={shownStatus(job)} />
              </td>
              <td className={table.num}>
                <Time at={job.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
