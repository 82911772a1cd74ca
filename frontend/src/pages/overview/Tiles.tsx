import { CircleDashed, Clock, Gauge, LoaderCircle, type LucideIcon, Timer, X } from 'lucide-react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { bounded, count, duration, plural, roughly } from '../../lib/format';
import { Changed } from '../../ui/Changed';
import css from './overview.module.css';

interface TileProps {
  icon: LucideIcon;
  name: string;
  tone?: string;
  value: string;
  note: string;
  href: string;
}

function Tile({ icon: Icon, name, tone, value, note, href }: TileProps) {
  return (
    <li>
      <Link href={href} className={css.tile}>
        <span className={css.tileName} style={tone ? { color: `var(--${tone})` } : undefined}>
          <Icon size={14} aria-hidden /> {name}
        </span>
        <strong>
          <Changed text={value} />
        </strong>
        <span className={css.tileNote}>{note}</span>
      </Link>
    </li>
  );
}

interface Props {
  stats: Schemas['QForgeStats'];
  workers: Schemas['QForgeWorker'][];
}

export function Tiles({ stats, workers }: Props) {
  const { jobs, finished, latency_seconds: latency, oldest_queued_seconds: oldest } = stats;
  const slots = workers.filter(({ lost }) => !lost).reduce((sum, { threads }) => sum + threads, 0);
  const busy = workers.filter(({ lost }) => !lost).reduce((sum, worker) => sum + worker.busy, 0);
  const minute = Object.values(finished.last_minute);
  const total = minute.reduce((sum, { count }) => sum + count, 0);
  const sure = minute.every(({ exact }) => exact);
  const failed = finished.last_hour.failed;
  return (
    <ul className={css.tiles} aria-label="In numbers">
      <Tile
        icon={CircleDashed}
        name="Queued"
        tone="queued"
        value={bounded(jobs.queued)}
        note={oldest === null ? 'nothing waits' : `oldest ${roughly(oldest)}`}
        href="/jobs?status=queued"
      />
      <Tile
        icon={LoaderCircle}
        name="Running"
        tone="running"
        value={bounded(jobs.running)}
        note={slots ? `${count(busy)} of ${plural(slots, 'slot')} busy` : 'no live worker'}
        href="/jobs?status=running"
      />
      <Tile
        icon={Clock}
        name="Scheduled"
        tone="scheduled"
        value={bounded(jobs.scheduled)}
        note={jobs.blocked.count ? `${bounded(jobs.blocked)} blocked` : 'retries included'}
        href="/jobs?status=scheduled&ordering=available_at"
      />
      <Tile
        icon={X}
        name="Failed"
        tone="failed"
        value={bounded(jobs.failed)}
        note={failed.count ? `${bounded(failed)} in 1 h` : 'none in 1 h'}
        href="/jobs?status=failed&ordering=-finished_at"
      />
      <Tile
        icon={Gauge}
        name="Throughput"
        value={`${sure ? '' : '≈ '}${count(total)}`}
        note="jobs in 1 minute"
        href="/jobs?ordering=-finished_at"
      />
      <Tile
        icon={Timer}
        name="Wait, 95 %"
        value={duration(latency.wait.p95)}
        note={latency.jobs ? `run ${duration(latency.run.p95)}` : 'none in 1 h'}
        href="/jobs?status=succeeded&ordering=-finished_at"
      />
    </ul>
  );
}
