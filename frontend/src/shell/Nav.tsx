import { Ellipsis } from 'lucide-react';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useStats, useWorkers } from '../api/queries';
import { bounded, count } from '../lib/format';
import css from './nav.module.css';
import { PLACES, type Place } from './routes';

interface Note {
  text: string;
  label: string;
  bad?: boolean;
}

function useNotes(): Record<string, Note> {
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

/** On a narrow screen the others are behind a button. */
const AT_HAND = 4;

export function Nav() {
  const [location] = useLocation();
  const notes = useNotes();
  const others = useRef<HTMLUListElement>(null);
  const isHere = (place: Place) =>
    place.path === '/' ? location === '/' : location.startsWith(place.path);
  const rest = PLACES.slice(AT_HAND);
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
      <ul className={css.atHand}>
        {PLACES.slice(0, AT_HAND).map((place) => (
          <Item key={place.path} place={place} here={isHere(place)} note={notes[place.path]} />
        ))}
      </ul>
      <button
        type="button"
        className={css.more}
        popoverTarget="nav-more"
        data-here={rest.some(isHere) || undefined}
      >
        <Ellipsis size={16} aria-hidden />
        More
      </button>
      <ul id="nav-more" popover="auto" ref={others} className={css.others}>
        {rest.map((place) => (
          <Item
            key={place.path}
            place={place}
            here={isHere(place)}
            note={notes[place.path]}
            onFollow={() => others.current?.hidePopover?.()}
          />
        ))}
      </ul>
    </nav>
  );
}

function Item(props: { place: Place; here: boolean; note?: Note; onFollow?: () => void }) {
  const { place, here, note, onFollow } = props;
  const { path, name, key, icon: Icon, group } = place;
  return (
    <>
      {group && (
        <li className={css.group} aria-hidden>
          {group}
        </li>
      )}
      <li>
        <Link
          href={path}
          onClick={onFollow}
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
    </>
  );
}
