import { Link } from 'wouter';
import type { WorkflowRow } from '../../api/workflows';
import { StatusPill } from '../../ui/StatusPill';
import { Empty } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { Progress } from '../workflows/Progress';

export function RecentWorkflows({ workflows }: { workflows: WorkflowRow[] }) {
  if (workflows.length === 0) return <Empty title="No workflow has been submitted yet" />;
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Workflow</th>
            <th scope="col">Status</th>
            <th scope="col">Steps</th>
            <th scope="col" className={table.num}>
              Submitted
            </th>
          </tr>
        </thead>
        <tbody>
          {workflows.map((workflow) => (
            <tr key={workflow.id}>
              <th scope="row" className={table.main}>
                <Link className={table.clip} href={`/workflows/${workflow.id}`}>
                  {workflow.name} <span className={table.sub}>#{workflow.id}</span>
                </Link>
              </th>
              <td>
                <StatusPill status={workflow.status} />
              </td>
              <td>
                <Progress of={workflow} />
              </td>
              <td className={table.num}>
                <Time at={workflow.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
