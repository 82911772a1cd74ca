import { ChevronDown, CircleCheck, CircleOff } from 'lucide-react';
import { Link } from 'wouter';
import type { ScheduleAction } from '../../api/actions';
import type { Schedule } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { Button } from '../../ui/Button';
import { Pill, StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';

interface Props {
  schedule: Schedule;
  onAsk: (action: ScheduleAction) => void;
  onLook: () => void;
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

export function ScheduleRow({ schedule, onAsk, onLook }: Props) {
  const { enabled, description, cron, interval_seconds: seconds } = schedule;
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
          {schedule.declared_in === 'code' ? 'the settings' : 'the database'}
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
        <Button
          onClick={() => onAsk('run-now')}
          refused={refused}
          aria-label={`Run now: ${schedule.name}`}
        >
          Run now
        </Button>{' '}
        <Button
          onClick={() => onAsk(toggle)}
          refused={refused}
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${schedule.name}`}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
      </td>
    </tr>
  );
}
