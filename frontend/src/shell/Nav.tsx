import { Fragment } from 'react';
import { Link, useLocation } from 'wouter';
import { useStats, useWorkers } from '../api/queries';
import { bounded, count } from '../lib/format';
import css from './nav.module.css';
import { PLACES } from './routes';

function useNotes(): Record<string, { text: string; label: string; bad?: boolean }> {
  const stats = useStats().data;
  const workers = useWorkers().data;
  const failed = stats?.finished.last_hour.failed;
  const open = stats?.jobs.queued;
  const live = workers?.results.filter((worker) => !worker.lost).length;
  return {
    ...(open?.count ? { '/jobs': { text: bounded(open), label: 'queued' } } : {}),
    ...(failed?.count
      ? { '/failures': { text: bounded(failed), label: 'failed in the last hour', bad: true } }
      : {}),
    ...(live !== undefined
      ? { '/workers': { text: count(live), label: 'live', bad: live === 0 } }
      : {}),
  };
}

export function Nav() {
  const [location] = useLocation();
  const notes = useNotes();
  return (
    <nav className={css.nav} aria-label="Main">
      <Link href="/" className={css.brand}>
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <path
            d="M3 5h8M3 10h14M3 15h10"
            stroke="currentColor"
            strokeWidth="2.2"
            strokeLinecap="round"
          />
          <circle cx="15.5" cy="5" r="2.2" fill="currentColor" />
        </svg>
        QForge
      </Link>
      <ul>
        {PLACES.map(({ path, name, key, icon: Icon, group }) => {
          const here = path === '/' ? location === '/' : location.startsWith(path);
          const note = notes[path];
          return (
            <Fragment key={path}>
              {group && (
                <li className={css.group} aria-hidden>
                  {group}
                </li>
              )}
              <li>
                <Link
                  href={path}
                  aria-current={here ? 'page' : undefined}
                  aria-keyshortcuts={`g ${key}`}
                  title={`${name} (g ${key})`}
                >
                  <Icon size={16} aria-hidden />
                  <span>{name}</span>
                  {note && (
                    <small className={note.bad ? css.bad : undefined}>
                      {note.text}
                      <span className="visually-hidden"> {note.label}</span>
                    </small>
                  )}
                </Link>
              </li>
            </Fragment>
          );
        })}
      </ul>
    </nav>
  );
}
