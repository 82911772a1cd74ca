import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ScheduleAction, useScheduleAction } from '../../api/actions';
import { type Schedule, useSchedules } from '../../api/queries';
import { useDeleteSchedule } from '../../api/schedules';
import { forbidden } from '../../lib/access';
import { Page } from '../../shell/Page';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Dialog } from '../../ui/Dialog';
import dialog from '../../ui/dialog.module.css';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { Command, Empty, Loaded, Problem } from '../../ui/states';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toasts';
import { Paging } from '../jobs/Paging';
import { NextRuns } from './NextRuns';
import { ScheduleDrawer } from './ScheduleDrawer';
import { ScheduleRow } from './ScheduleRow';

const WORDS = {
  enable: ['Enable', 'It fires from now on; what was missed meanwhile is not made up for.'],
  disable: ['Disable', 'It fires no more until it is enabled. Its open jobs go on.'],
  'run-now': ['Run now', 'One job is enqueued at once; the fire times stay as they are.'],
} as const;

interface Asked {
  schedule: Schedule;
  action: ScheduleAction;
}

function Confirm({ schedule, action, onClose }: Asked & { onClose: () => void }) {
  const act = useScheduleAction();
  const [verb, about] = WORDS[action];
  const onSuccess = (answer: { id: number }) => {
    if (action === 'run-now') {
      toast('Enqueued as', 'good', { href: `/jobs/${answer.id}`, text: `job ${answer.id}` });
    } else {
      toast(`${schedule.name} is ${action}d`);
    }
    onClose();
  };
  return (
    <ReasonDialog
      title={`${verb}: ${schedule.name}?`}
      verb={verb}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ id: schedule.id, action, reason }, { onSuccess })}
    >
      {about}
    </ReasonDialog>
  );
}

function Delete({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const remove = useDeleteSchedule();
  return (
    <Dialog title={`Delete ${schedule.name}?`} onClose={onClose}>
      <p className={dialog.text}>It fires no more. The jobs it has enqueued stay.</p>
      {remove.error && <Problem error={remove.error} />}
      <div className={dialog.buttons}>
        <Button data-first onClick={onClose}>
          Back
        </Button>
        <Button
          look="danger"
          disabled={remove.isPending}
          onClick={() =>
            remove.mutate(schedule.id, {
              onSuccess: () => {
                toast(`${schedule.name} is deleted`);
                onClose();
              },
            })
          }
        >
          {remove.isPending ? 'Working…' : 'Delete the schedule'}
        </Button>
      </div>
    </Dialog>
  );
}

export function SchedulesPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const schedules = useSchedules(cursor);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [looking, setLooking] = useState<Schedule | null>(null);
  const [deleting, setDeleting] = useState<Schedule | null>(null);
  const [editing, setEditing] = useState<Schedule | 'new' | null>(null);
  const refused = forbidden('manage_schedule');
  useShortcut('n', 'New schedule', refused ? undefined : () => setEditing('new'));
  return (
    <Page
      title="Schedules"
      actions={
        <Button shortcut="n" refused={refused} onClick={() => setEditing('new')}>
          <Plus size={14} aria-hidden /> New schedule
        </Button>
      }
    >
      <Card title="All schedules">
        <Loaded of={schedules}>
          {(page) =>
            page.results.length === 0 ? (
              <Empty title="There are no schedules">
                <p>Make one with the button above, or declare it in QFORGE[“SCHEDULES”]:</p>
                <Command text={'"nightly": {"task": "shop.report", "cron": "0 3 * * *"}'} />
              </Empty>
            ) : (
              <>
                <div className={table.scroll}>
                  <table className={`${table.table} ${table.cards}`}>
                    <thead>
                      <tr>
                        <th scope="col">Schedule</th>
                        <th scope="col">State</th>
                        <th scope="col">Times</th>
                        <th scope="col">Next</th>
                        <th scope="col">Last</th>
                        <th scope="col">
                          <span className="visually-hidden">Actions</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {page.results.map((schedule) => (
                        <ScheduleRow
                          key={schedule.id}
                          schedule={schedule}
                          onAsk={(action) => setAsked({ schedule, action })}
                          onLook={() => setLooking(schedule)}
                          onEdit={() => setEditing(schedule)}
                          onDelete={() => setDeleting(schedule)}
                        />
                      ))}
                    </tbody>
                  </table>
                </div>
                <Paging page={page} first={!cursor} turn={(next) => setCursor(next ?? undefined)} />
              </>
            )
          }
        </Loaded>
      </Card>
      {asked && <Confirm {...asked} onClose={() => setAsked(null)} />}
      {deleting && <Delete schedule={deleting} onClose={() => setDeleting(null)} />}
      {editing && (
        <ScheduleDrawer
          id={editing === 'new' ? undefined : editing.id}
          onClose={() => setEditing(null)}
        />
      )}
      {looking && <NextRuns schedule={looking} onClose={() => setLooking(null)} />}
    </Page>
  );
}
