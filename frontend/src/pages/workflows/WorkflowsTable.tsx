import type { Ref } from 'react';
import { Link, useLocation } from 'wouter';
import type { WorkflowAction, WorkflowRow } from '../../api/workflows';
import { Button } from '../../ui/Button';
import { Elapsed } from '../../ui/Elapsed';
import { StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import jobs from '../jobs/jobs.module.css';
import { stepAddress } from '../workflow/addresses';
import { ACTIONS, ORDER, refusal } from './actions';
import { Progress } from './Progress';
import { about } from './words';
import css from './workflows.module.css';

interface RowProps {
  workflow: WorkflowRow;
  chosen: boolean;
  onAsk: (action: WorkflowAction) => void;
}

function Note({ workflow }: { workflow: WorkflowRow }) {
  if (workflow.failed_step !== null) {
    const others = workflow.progress.failed - 1;
    return (
      <span className={`${table.clip} ${table.sub}`}>
        failed at{' '}
        <Link className={css.at} href={stepAddress(workflow.id, workflow.failed_step)}>
          {workflow.failed_step}
        </Link>
        {others > 0 && ` and ${others} more`}
      </span>
    );
  }
  if (workflow.rerun_of === null) return null;
  return <span className={`${table.clip} ${table.sub}`}>rerun of #{workflow.rerun_of}</span>;
}

function Row({ workflow, chosen, onAsk }: RowProps) {
  const [, navigate] = useLocation();
  const href = `/workflows/${workflow.id}`;
  return (
    <tr
      className={jobs.row}
      data-chosen={chosen}
      onClick={(event) => {
        const onLink = (event.target as Element).closest('a, button');
        if (!onLink && !window.getSelection()?.toString()) navigate(href);
      }}
    >
      <td className={jobs.statusCell}>
        <StatusPill status={workflow.status} about={about(workflow)} />
      </td>
      <th scope="row" className={`${table.main} ${jobs.taskCell}`}>
        <Link className={table.clip} href={href} title={workflow.name}>
          {workflow.name} <span className={table.sub}>#{workflow.id}</span>
        </Link>
        <Note workflow={workflow} />
      </th>
      <td className={`${table.wide} ${css.progressCell}`}>
        <Progress of={workflow} />
      </td>
      <td data-label="Submitted" className={table.nowrap}>
        <Time at={workflow.created_at} />
      </td>
      <td data-label="Took" className={`${table.num} ${table.end}`}>
        <Elapsed from={workflow.created_at} to={workflow.finished_at} />
      </td>
      <td className={`${table.num} ${table.wide}`}>
        <span className={css.rowActions}>
          {ORDER.map((action) => {
            const { verb, icon: Icon } = ACTIONS[action];
            return (
              <Button
                key={action}
                look="ghost"
                iconOnly
                title={verb}
                refused={refusal(workflow, action)}
                aria-label={`${verb}: ${workflow.name} #${workflow.id}`}
                onClick={() => onAsk(action)}
              >
                <Icon size={15} aria-hidden />
              </Button>
            );
          })}
        </span>
      </td>
    </tr>
  );
}

interface Props {
  workflows: WorkflowRow[];
  chosen: number | null;
  bodyRef: Ref<HTMLTableSectionElement>;
  onAsk: (workflow: WorkflowRow, action: WorkflowAction) => void;
}

export function WorkflowsTable({ workflows, chosen, bodyRef, onAsk }: Props) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <caption className="visually-hidden">Workflows</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Workflow</th>
            <th scope="col">Steps</th>
            <th scope="col">Submitted</th>
            <th scope="col" className={table.num}>
              Took
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {workflows.map((workflow) => (
            <Row
              key={workflow.id}
              workflow={workflow}
              chosen={workflow.id === chosen}
              onAsk={(action) => onAsk(workflow, action)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
