import { Clock } from 'lucide-react';
import type { Run } from '../../api/schedules';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { clockChanges, clockOf, weekdayOf } from './clocks';
import css from './schedules.module.css';

/** Fire times on the clocks of their zone, with a word where those change. */
export function Runs({ runs, timezone }: { runs: Run[]; timezone: string }) {
  const changes = clockChanges(runs);
  return (
    <table className={`${table.table} ${css.runs}`}>
      <thead>
        <tr>
          <th scope="col">In {timezone}</th>
          <th scope="col" className={table.num}>
            From now
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ at, local }, n) => (
          <tr key={at}>
            <td>
              <span className={css.weekday}>{weekdayOf(local)}</span> {clockOf(local)}
              {changes.has(n) && (
                <span className={css.change}>
                  <Clock size={12} aria-hidden /> {changes.get(n)}
                </span>
              )}
            </td>
            <td className={table.num}>
              <Time at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
