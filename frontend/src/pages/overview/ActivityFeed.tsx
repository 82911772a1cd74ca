import { useState } from 'react';
import { Link } from 'wouter';
import { useLiveQuery } from '../../live/useLive';
import { Card } from '../../ui/Card';
import { StatusPill } from '../../ui/StatusPill';
import { Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import { Activity, type FeedEvent } from './activity';
import css from './overview.module.css';

const VERBS: Record<FeedEvent['kind'], string> = {
  enqueued: 'enqueued',
  unblocked: 'unblocked',
  promoted: 'became due',
  claimed: 'started',
  succeeded: 'succeeded',
  failed: 'failed',
  rescued: 'lost its worker',
  released: 'was given back',
  cancelled: 'was cancelled',
  retried: 'was retried',
  cancel_requested: 'is asked to stop',
  lease_lost: 'lost its lease',
};

function Line({ event }: { event: FeedEvent }) {
  const again = event.kind === 'failed' && event.to_status !== 'failed';
  return (
    <li>
      <StatusPill status={again ? 'retrying' : event.to_status} />
      <span className={css.happened}>
        <Link href={`/jobs/${event.job}`}>
          {event.task} <span className={css.faint}>#{event.job}</span>
        </Link>{' '}
        {again ? 'failed and will be tried again' : (VERBS[event.kind] ?? event.kind)}
      </span>
      <Time at={event.at} />
    </li>
  );
}

/** What happens while one looks. It says nothing by itself to those who listen to the page. */
export function ActivityFeed() {
  const [activity] = useState(() => new Activity());
  const found = useLiveQuery(['activity'], (signal) => activity.read(signal), { on: ['jobs'] });
  return (
    <Card title="Activity" note="since you came here">
      <div className={css.activity}>
        <Loaded of={found}>
          {(events) =>
            events.length ? (
              <ol aria-live="off">
                {events.map((event) => (
                  <Line key={event.id} event={event} />
                ))}
              </ol>
            ) : (
              <Empty title="Nothing has happened yet">
                <p>What jobs do shows here as it happens.</p>
              </Empty>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
