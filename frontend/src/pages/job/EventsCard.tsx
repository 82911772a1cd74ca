import type { JobEvent } from '../../api/client';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { StatusPill } from '../../ui/StatusPill';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import ui from '../../ui/ui.module.css';
import { said, word } from './words';

interface Props {
  events: JobEvent[];
  /** Asks for events before these; undefined when there are none. */
  older?: () => void;
  newest?: () => void;
}

export function EventsCard({ events, older, newest }: Props) {
  return (
    <Card title="Events" note="newest first">
      <div className={table.scroll}>
        <table className={`${table.table} ${table.cards}`}>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Status</th>
              <th scope="col">Attempt</th>
              <th scope="col">When</th>
              <th scope="col">Who and why</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => {
              const why = said(event);
              return (
                <tr key={event.id}>
                  <th scope="row" className={table.nowrap}>
                    {word(event.kind)}
                  </th>
                  <td className={table.end}>
                    <StatusPill status={event.to_status} />
                  </td>
                  <td data-label="Attempt">{event.attempt || '–'}</td>
                  <td data-label="When" className={`${table.nowrap} ${table.end}`}>
                    <Time at={event.at} />
                  </td>
                  <td className={`${table.main} ${table.wide} ${why ? '' : table.empty}`}>
                    <span className={table.clip} title={why}>
                      {why}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {(older || newest) && (
        <div className={ui.cardBody}>
          {newest && <Button onClick={newest}>Newest events</Button>}{' '}
          {older && <Button onClick={older}>Older events</Button>}
        </div>
      )}
    </Card>
  );
}
