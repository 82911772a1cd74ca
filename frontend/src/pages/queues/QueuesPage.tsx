import { useState } from 'react';
import { useQueueSwitch } from '../../api/actions';
import type { Schemas } from '../../api/client';
import { useQueues } from '../../api/queries';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { Empty, Loaded } from '../../ui/states';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toasts';
import { QueueRow } from './QueueRow';

type Queue = Schemas['QForgeQueue'];

function Switch({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const act = useQueueSwitch();
  const [pause] = useState(queue.paused_at === null);
  const word = pause ? 'Pause' : 'Resume';
  return (
    <ReasonDialog
      title={`${word} ${queue.name}?`}
      verb={`${word} queue`}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) =>
        act.mutate(
          { name: queue.name, pause, reason },
          {
            onSuccess: () => {
              toast(`${queue.name} ${pause ? 'is paused' : 'goes on'}`);
              onClose();
            },
          },
        )
      }
    >
      {pause
        ? 'Its jobs wait until the queue is resumed; those that run go on.'
        : 'Workers take its jobs again at once.'}
    </ReasonDialog>
  );
}

export function QueuesPage() {
  const queues = useQueues();
  const [chosen, setChosen] = useState<Queue | null>(null);
  return (
    <Page title="Queues">
      <Card title="All queues" note="counts are bounded: 10,000+ means at least as many">
        <Loaded of={queues}>
          {({ results }) =>
            results.length === 0 ? (
              <Empty title="No queue has a job or a task yet">
                <p>A queue is there as soon as a task or a job names it.</p>
              </Empty>
            ) : (
              <div className={table.scroll}>
                <table className={`${table.table} ${table.cards}`}>
                  <thead>
                    <tr>
                      <th scope="col">Queue</th>
                      <th scope="col">State</th>
                      <th scope="col" className={table.num}>
                        Queued
                      </th>
                      <th scope="col" className={table.num}>
                        Oldest
                      </th>
                      <th scope="col" className={table.num}>
                        Running
                      </th>
                      <th scope="col" className={table.num}>
                        Scheduled
                      </th>
                      <th scope="col" className={table.num}>
                        Blocked
                      </th>
                      <th scope="col">
                        <span className="visually-hidden">Action</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {results.map((queue) => (
                      <QueueRow key={queue.name} queue={queue} onSwitch={() => setChosen(queue)} />
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Card>
      {chosen && <Switch queue={chosen} onClose={() => setChosen(null)} />}
    </Page>
  );
}
