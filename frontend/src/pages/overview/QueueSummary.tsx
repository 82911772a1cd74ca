import { Pause } from 'lucide-react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { bounded, duration, plural } from '../../lib/format';
import { Pill } from '../../ui/StatusPill';
import { Empty } from '../../ui/states';
import table from '../../ui/table.module.css';
import ui from '../../ui/ui.module.css';

const SHOWN = 8;

/** The queues with the most to do, paused ones first. */
export function QueueSummary({ queues }: { queues: Schemas['QForgeQueue'][] }) {
  if (queues.length === 0) return <Empty title="No queue has a job or a task yet" />;
  const sorted = [...queues].sort(
    (a, b) =>
      Number(b.paused_at !== null) - Number(a.paused_at !== null) ||
      b.jobs.queued.count - a.jobs.queued.count ||
      a.name.localeCompare(b.name),
  );
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col" className={table.num}>
              Queued
            </th>
            <th scope="col" className={table.num}>
              Oldest
            </th>
            <th scope="col" className={table.num}>
              Running
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, SHOWN).map((queue) => (
            <tr key={queue.name}>
              <th scope="row" className={table.main}>
                <Link className={table.clip} href={`/queues#${encodeURIComponent(queue.name)}`}>
                  {queue.name}
                </Link>
                {queue.paused_at && (
                  <Pill tone="retrying">
                    <Pause size={12} aria-hidden /> Paused
                  </Pill>
                )}
              </th>
              <td className={table.num}>{bounded(queue.jobs.queued)}</td>
              <td className={table.num}>{duration(queue.oldest_queued_seconds)}</td>
              <td className={table.num}>{bounded(queue.jobs.running)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > SHOWN && (
        <div className={ui.cardBody}>
          <Link href="/queues">and {plural(sorted.length - SHOWN, 'more queue')}</Link>
        </div>
      )}
    </div>
  );
}
