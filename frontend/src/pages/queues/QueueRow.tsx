import { CircleCheck, Pause, Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { Spark } from '../../charts/Spark';
import { forbidden } from '../../lib/access';
import { bounded, count, duration } from '../../lib/format';
import { Button } from '../../ui/Button';
import { Pill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import css from './queues.module.css';

type Queue = Schemas['QForgeQueue'];

/** A rate as people say it: whole numbers, but for the small ones. */
export function perMinute(rate: number): string {
  if (rate === 0) return '–';
  return `${rate < 10 ? rate.toFixed(1).replace(/\.0$/, '') : count(Math.round(rate))} / min`;
}

export function QueueState({ queue }: { queue: Queue }) {
  if (!queue.paused_at) {
    return (
      <Pill tone="succeeded">
        <CircleCheck size={13} aria-hidden /> Active
      </Pill>
    );
  }
  return (
    <>
      <Pill tone="retrying">
        <Pause size={12} aria-hidden /> Paused
      </Pill>{' '}
      <span className={table.sub}>
        <Time at={queue.paused_at} />
        {queue.paused_by && ` by ${queue.paused_by}`}
        {queue.pause_reason && `: “${queue.pause_reason}”`}
      </span>
    </>
  );
}

interface Props {
  queue: Queue;
  onSwitch: () => void;
}

export function QueueRow({ queue, onSwitch }: Props) {
  const chosen = decodeURIComponent(location.hash.slice(1)) === queue.name;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'center' });
  }, [chosen]);
  const word = queue.paused_at ? 'Resume' : 'Pause';
  const Icon = queue.paused_at ? Play : Pause;
  const jobs = (status: string) =>
    `/jobs?${new URLSearchParams({ queue: queue.name, status }).toString()}`;
  return (
    <tr ref={row} data-chosen={chosen}>
      <th scope="row" className={css.name}>
        <Link
          className={table.clip}
          title={queue.name}
          href={`/queues/${encodeURIComponent(queue.name)}`}
        >
          {queue.name}
        </Link>
      </th>
      <td className={`${table.wide} ${css.state}`}>
        <QueueState queue={queue} />
      </td>
      <td className={table.num} data-label="Queued">
        <Link href={jobs('queued')}>{bounded(queue.jobs.queued)}</Link>
      </td>
      <td className={table.num} data-label="Oldest">
        {duration(queue.oldest_queued_seconds)}
      </td>
      <td className={table.num} data-label="In">
        {perMinute(queue.rates.in_per_minute)}
      </td>
      <td className={table.num} data-label="Out">
        {perMinute(queue.rates.out_per_minute)}
      </td>
      <td className={table.num} data-label="Wait, 95 %">
        {duration(queue.rates.wait_p95_seconds)}
      </td>
      <td data-label="Last 6 h">
        <Spark points={queue.rates.finished} label="Jobs ended in a quarter of an hour" />
      </td>
      <td className={table.num} data-label="Running">
        <Link href={jobs('running')}>{bounded(queue.jobs.running)}</Link>
      </td>
      <td className={`${table.num} ${table.end}`}>
        <Button
          onClick={onSwitch}
          refused={forbidden('pause_queue')}
          aria-label={`${word} ${queue.name}`}
        >
          <Icon size={13} aria-hidden /> {word}
        </Button>
      </td>
    </tr>
  );
}
