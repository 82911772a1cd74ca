import { useId } from 'react';
import type { Failure } from '../../api/client';
import { count } from '../../lib/format';
import { Card } from '../../ui/Card';
import table from '../../ui/table.module.css';
import css from './failures.module.css';
import { trend } from './words';

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const HOUR_MS = 3_600_000;

/** The last 24 hours as bars, and the same numbers as a table. */
export function Histogram({ group }: { group: Failure }) {
  const id = useId();
  const most = Math.max(...group.hours, 1);
  const begin = Date.parse(group.hours_begin_at);
  const at = (hour: number) => HOUR.format(new Date(begin + hour * HOUR_MS));
  return (
    <Card title="Last 24 hours" note="failed attempts by the hour" padded>
      <figure className={css.histogram} aria-labelledby={id}>
        <div className={css.bars} aria-hidden>
          {group.hours.map((number, hour) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            <i key={hour} title={`${at(hour)}: ${count(number)}`}>
              <b style={{ height: `${number && Math.max((number / most) * 100, 3)}%` }} />
            </i>
          ))}
        </div>
        <div className={css.axis} aria-hidden>
          <span>{at(0)}</span>
          <span>{at(12)}</span>
          <span>now</span>
        </div>
        <figcaption id={id}>Seen {trend(group.hours)}.</figcaption>
      </figure>
      <details className={css.asTable}>
        <summary>Show as table</summary>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Hour from</th>
              <th scope="col" className={table.num}>
                Failed attempts
              </th>
            </tr>
          </thead>
          <tbody>
            {group.hours.map((number, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
              <tr key={hour}>
                <th scope="row">{at(hour)}</th>
                <td className={table.num}>{count(number)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  );
}
