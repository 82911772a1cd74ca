import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { duration, plural } from '../../lib/format';
import { Empty } from '../../ui/states';
import table from '../../ui/table.module.css';

/** The tasks whose attempts took longest, by the time that 95 % of them do not exceed. */
export function SlowestTasks({ tasks }: { tasks: Schemas['QForgeTaskTimes'][] }) {
  if (tasks.length === 0) return <Empty title="No attempt has ended lately" />;
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col" className={table.num}>
              ≈ 50 %
            </th>
            <th scope="col" className={table.num}>
              ≈ 95 %
            </th>
            <th scope="col" className={table.num}>
              Longest
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ task, run_seconds: run, longest_seconds, attempts }) => (
            <tr key={task}>
              <th scope="row" className={table.main}>
                <Link className={table.clip} href={`/jobs?${new URLSearchParams({ task })}`}>
                  {task}
                </Link>
                <span className={`${table.clip} ${table.sub}`}>{plural(attempts, 'attempt')}</span>
              </th>
              <td className={table.num}>{duration(run.p50)}</td>
              <td className={table.num}>{duration(run.p95)}</td>
              <td className={table.num}>{duration(longest_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
