import { Link } from 'wouter';
import { useStats } from '../../api/queries';
import { bounded } from '../../lib/format';
import { ORDER, STATUSES } from '../../lib/statuses';
import { changed } from './filters';
import css from './jobs.module.css';

/** One tab for each status. The numbers are of all jobs, so other filters hide them. */
export function StatusTabs({ params, filtered }: { params: URLSearchParams; filtered: boolean }) {
  const counts = useStats().data?.jobs;
  const chosen = params.getAll('status');
  const to = (status: string | null) => `?${changed(params, { status })}`;
  return (
    <nav className={css.tabs} aria-label="Status">
      <Link href={`/jobs${to(null)}`} aria-current={chosen.length ? undefined : 'page'}>
        All
      </Link>
      {ORDER.map((status) => {
        const { word, icon: Icon } = STATUSES[status];
        const current = chosen.length === 1 && chosen[0] === status;
        return (
          <Link
            key={status}
            href={`/jobs${to(status)}`}
            aria-current={current ? 'page' : undefined}
          >
            <Icon size={14} aria-hidden style={{ color: `var(--${status})` }} />
            {word}
            {counts && !filtered && <small>{bounded(counts[status])}</small>}
          </Link>
        );
      })}
    </nav>
  );
}
