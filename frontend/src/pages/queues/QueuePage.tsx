import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { useQueues, useTasks, useWorkers } from '../../api/queries';
import { OverTime } from '../../charts/OverTime';
import { bounded, duration, roughly } from '../../lib/format';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import { WorkerSummary } from '../overview/WorkerSummary';
import { perMinute, QueueState } from './QueueRow';
import { QueueSwitch } from './QueueSwitch';
import css from './queues.module.css';

type Queue = Schemas['QForgeQueue'];

/** When the backlog is gone if nothing changes; nothing to say when it grows or there is none. */
function drain({ jobs, rates }: Queue): string {
  const net = rates.out_per_minute - rates.in_per_minute;
  if (jobs.queued.count === 0 || rates.out_per_minute === 0) return '';
  if (net <= 0) return 'grows at the current rates';
  return `about ${roughly((jobs.queued.count / net) * 60)} at the current rates`;
}

function Facts({ queue }: { queue: Queue }) {
  const { jobs, rates } = queue;
  const jobsIn = (status: keyof Queue['jobs']) => (
    <Link href={`/jobs?${new URLSearchParams({ queue: queue.name, status })}`}>
      {bounded(jobs[status])}
    </Link>
  );
  const facts: [string, React.ReactNode][] = [
    ['State', <QueueState key="state" queue={queue} />],
    ['Queued', jobsIn('queued')],
    ['Oldest', duration(queue.oldest_queued_seconds)],
    ['Running', jobsIn('running')],
    ['Scheduled', jobsIn('scheduled')],
    ['Blocked', jobsIn('blocked')],
    ['In', perMinute(rates.in_per_minute)],
    ['Out', perMinute(rates.out_per_minute)],
    ['Failed attempts', perMinute(rates.retrying_per_minute)],
    ['Wait, 95 %', duration(rates.wait_p95_seconds)],
    ['Empty in', drain(queue) || '–'],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Tasks({ name }: { name: string }) {
  const tasks = useTasks();
  return (
    <Card title="Tasks" note="whose own queue this is">
      <Loaded of={tasks}>
        {({ results }) => {
          const own = results.filter(({ queue }) => queue === name);
          if (own.length === 0) return <Empty title="No task names it as its own" />;
          return (
            <ul className={`${ui.cardBody} ${css.tasks}`}>
              {own.map((task) => (
                <li key={task.name}>
                  <Link href={`/jobs?${new URLSearchParams({ queue: name, task: task.name })}`}>
                    {task.name}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

export function QueuePage({ name }: { name: string }) {
  const queues = useQueues();
  const workers = useWorkers();
  const [asked, setAsked] = useState(false);
  const queue = queues.data?.results.find((one) => one.name === name);
  const Icon = queue?.paused_at ? Play : Pause;
  const act = queue && (
    <Button onClick={() => setAsked(true)}>
      <Icon size={14} aria-hidden /> {queue.paused_at ? 'Resume' : 'Pause'}
    </Button>
  );
  return (
    <Page title={name} beside={<span className={css.kind}>queue</span>} actions={act}>
      <Card title="Now" padded>
        <Loaded of={queues} lines={3}>
          {() => (queue ? <Facts queue={queue} /> : <Empty title="This queue holds no open job" />)}
        </Loaded>
      </Card>
      <OverTime queue={name} />
      <div className={css.halves}>
        <Card title="Workers that serve it" note={<Link href="/workers">All workers</Link>}>
          <Loaded of={workers}>
            {({ results }) => (
              <WorkerSummary
                workers={results.filter(
                  ({ queues: served }) => served.length === 0 || served.includes(name),
                )}
              />
            )}
          </Loaded>
        </Card>
        <Tasks name={name} />
      </div>
      {asked && queue && <QueueSwitch queue={queue} onClose={() => setAsked(false)} />}
    </Page>
  );
}
