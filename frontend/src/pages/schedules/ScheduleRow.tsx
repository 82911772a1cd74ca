import { ChevronDown, CircleCheck, CircleOff, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import type { ScheduleAction } from '../../api/actions';
import type { Schedule } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { Button } from '../../ui/Button';
import { Pill, StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import css from './schedules.module.css';

const IN_CODE = 'It is declared in code; change it there and restart the workers';

interface Props {
  schedule: Schedule;
  onAsk: (action: ScheduleAction) => void;
  onLook: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function Last({ schedule }: { schedule: Schedule }) {
  const { last_job: job, last_run_at: at } = schedule;
  if (!at) return <>never</>;
  return (
    <>
      {job ? (
        <Link href={`/jobs/${job.id}`}>
          <Time at={at} />
        </Link>
      ) : (
        <Time at={at} />
      )}{' '}
      {job?.status && <StatusPill status={job.status} />}
    </>
  );
}

export function ScheduleRow({ schedule, onAsk, onLook, onEdit, onDelete }: Props) {
  const { enabled, description, cron, interval_seconds: seconds } = schedule;
  const fixed = schedule.allowed_actions.includes('edit') ? undefined : IN_CODE;
  const toggle = enabled ? 'disable' : 'enable';
  const refused = forbidden('manage_schedule');
  return (
    <tr>
      <th scope="row">
        <span className={table.clip} title={schedule.name}>
          {schedule.name}
        </span>
        <Link
          className={`${table.clip} ${table.sub}`}
          href={`/jobs?${new URLSearchParams({ task: schedule.task })}`}
        >
          {schedule.task}
        </Link>
      </th>
      <td className={table.end}>
        {enabled ? (
          <Pill tone="succeeded">
            <CircleCheck size={13} aria-hidden /> Enabled
          </Pill>
        ) : (
          <Pill tone="cancelled">
            <CircleOff size={13} aria-hidden /> Disabled
          </Pill>
        )}
        {schedule.disabled_reason && (
          <span className={`${table.clip} ${table.sub}`} title={schedule.disabled_reason}>
            {schedule.disabled_reason}
          </span>
        )}
      </td>
      <td className={`${table.main} ${table.wide}`}>
        {description || cron || `every ${seconds} s`}
        <span className={`${table.clip} ${table.sub}`}>
          {cron && <span className="mono">{cron}</span>} {schedule.timezone} · from{' '}
          {schedule.declared_in === 'code' ? 'code' : 'the database'}
        </span>
      </td>
      <td data-label="Next" className={table.nowrap}>
        <Button look="ghost" onClick={onLook} title={`Next runs of ${schedule.name}`}>
          {schedule.next_run_at && enabled ? <Time at={schedule.next_run_at} /> : 'none'}
          <ChevronDown size={13} aria-hidden />
        </Button>
      </td>
      <td data-label="Last">
        <Last schedule={schedule} />
      </td>
      <td className={`${table.num} ${table.wide}`}>
        <span className={css.rowActions}>
          <Button
            onClick={() => onAsk('run-now')}
            refused={refused}
            aria-label={`Run now: ${schedule.name}`}
          >
            Run now
          </Button>
          <Button
            onClick={() => onAsk(toggle)}
            refused={refused}
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${schedule.name}`}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button
            iconOnly
            look="ghost"
            title="Edit"
            refused={refused ?? fixed}
            aria-label={`Edit ${schedule.name}`}
            onClick={onEdit}
          >
            <Pencil size={14} aria-hidden />
          </Button>
          <Button
            iconOnly
            look="ghost"
            title="Delete"
            refused={refused ?? fixed}
            aria-label={`Delete ${schedule.name}`}
            onClick={onDelete}
          >
            <Trash2 size={14} aria-hidden />
          </Button>
        </span>
      </td>
    </tr>
  );
}
