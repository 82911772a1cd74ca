import type { Schemas } from '../../api/client';
import { useWorkers } from '../../api/queries';
import { boot } from '../../boot';
import { plural, roughly } from '../../lib/format';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Command, Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { Busy } from './Busy';
import { WorkerState } from './WorkerState';
import css from './workers.module.css';

type Worker = Schemas['QForgeWorker'];

/** How old the last sign of life is, against the lease after which a worker counts as lost. */
function Heartbeat({ worker }: { worker: Worker }) {
  const limit = Number(boot().settings.LEASE_SECONDS ?? 30);
  const age = worker.heartbeat_age_seconds;
  const share = Math.min(age / limit, 1);
  const tone = worker.lost ? 'failed' : share > 0.6 ? 'retrying' : 'succeeded';
  return (
    <span className={css.meter} title={`Counts as lost after ${roughly(limit)}`}>
      <span className={css.bar} aria-hidden>
        <i style={{ width: `${share * 100}%`, background: `var(--${tone})` }} />
      </span>
      <span className={css.meterText}>{roughly(age)} ago</span>
    </span>
  );
}

function Row({ worker }: { worker: Worker }) {
  return (
    <tr>
      <th scope="row" className={table.main}>
        <span className={table.clip} title={worker.name}>
          {worker.name}
        </span>
        <span className={`${table.clip} ${table.sub}`}>
          {worker.host} · pid {worker.pid}
        </span>
      </th>
      <td className={table.end}>
        <WorkerState worker={worker} />
      </td>
      <td data-label="Queues" className={table.wide}>
        <span className={table.clip}>
          {worker.queues.length ? worker.queues.join(', ') : 'all queues'}
        </span>
      </td>
      <td data-label="Busy" className={table.wide}>
        <Busy busy={worker.busy} threads={worker.threads} />
      </td>
      <td data-label="Heartbeat" className={table.wide}>
        <Heartbeat worker={worker} />
      </td>
      <td data-label="Started" className={table.nowrap}>
        <Time at={worker.started_at} />
      </td>
      <td data-label="Version" className={table.end}>
        {worker.version}
      </td>
    </tr>
  );
}

function Workers({ workers }: { workers: Worker[] }) {
  if (workers.length === 0) {
    return (
      <Empty title="No worker has been seen">
        <p>Jobs wait until one is started. It serves every queue unless told otherwise.</p>
        <Command text="python manage.py run_job_workers" />
      </Empty>
    );
  }
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">State</th>
            <th scope="col">Queues</th>
            <th scope="col">Busy threads</th>
            <th scope="col">Heartbeat</th>
            <th scope="col">Started</th>
            <th scope="col">Version</th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <Row key={worker.name} worker={worker} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function WorkersPage() {
  const workers = useWorkers();
  const found = workers.data?.results ?? [];
  const live = found.filter(({ lost }) => !lost);
  const versions = new Set(live.map(({ version }) => version));
  const note = [
    plural(live.length, 'live pool'),
    plural(
      live.reduce((sum, { threads }) => sum + threads, 0),
      'thread',
    ),
    versions.size > 1 ? `${versions.size} versions at once` : '',
  ].filter(Boolean);
  return (
    <Page title="Workers">
      <Card title="Pools of workers" note={workers.data && note.join(' · ')}>
        <Loaded of={workers}>{({ results }) => <Workers workers={results} />}</Loaded>
      </Card>
    </Page>
  );
}
