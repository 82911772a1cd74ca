import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { plural } from '../../lib/format';
import { Command, Empty } from '../../ui/states';
import table from '../../ui/table.module.css';
import ui from '../../ui/ui.module.css';
import { Busy } from '../workers/Busy';
import { WorkerState } from '../workers/WorkerState';

const SHOWN = 8;

export function WorkerSummary({ workers }: { workers: Schemas['QForgeWorker'][] }) {
  if (workers.length === 0) {
    return (
      <Empty title="No worker has been seen">
        <p>Jobs wait until one is started.</p>
        <Command text="python manage.py run_job_workers" />
      </Empty>
    );
  }
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">State</th>
            <th scope="col">Busy</th>
          </tr>
        </thead>
        <tbody>
          {workers.slice(0, SHOWN).map((worker) => (
            <tr key={worker.name}>
              <th scope="row" className={table.main}>
                <span className={table.clip}>{worker.name}</span>
              </th>
              <td>
                <WorkerState worker={worker} />
              </td>
              <td>
                <Busy busy={worker.busy} threads={worker.threads} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {workers.length > SHOWN && (
        <div className={ui.cardBody}>
          <Link href="/workers">and {plural(workers.length - SHOWN, 'more worker')}</Link>
        </div>
      )}
    </div>
  );
}
