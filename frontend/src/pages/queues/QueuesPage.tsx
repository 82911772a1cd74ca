import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useQueues } from '../../api/queries';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import table from '../../ui/table.module.css';
import { QueueRow } from './QueueRow';
import { QueueSwitch } from './QueueSwitch';

type Queue = Schemas['QForgeQueue'];

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
                        In
                      </th>
                      <th scope="col" className={table.num}>
                        Out
                      </th>
                      <th scope="col" className={table.num} title="95 % of jobs start within">
                        Wait, 95 %
                      </th>
                      <th scope="col">Last 6 h</th>
                      <th scope="col" className={table.num}>
                        Running
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
      {chosen && <QueueSwitch queue={chosen} onClose={() => setChosen(null)} />}
    </Page>
  );
}
