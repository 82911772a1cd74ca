import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { Spark } from '../../charts/Spark';
import { bounded } from '../../lib/format';
import { Empty } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';

/** The kinds of failures seen last that nobody has dealt with. */
export function FailureGroups({ groups }: { groups: Schemas['QForgeFailureRow'][] }) {
  if (groups.length === 0) return <Empty title="No open failures" />;
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Failure</th>
            <th scope="col">Last 24 h</th>
            <th scope="col" className={table.num}>
              Failed
            </th>
            <th scope="col" className={table.num}>
              Last seen
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.fingerprint}>
              <th scope="row" className={table.main}>
                <Link className={table.clip} href={`/failures/${group.fingerprint}`}>
                  {group.exception.split('.').at(-1)}{' '}
                  <span className={table.sub}>{group.task}</span>
                </Link>
                <span className={`${table.clip} ${table.sub} mono`}>{group.message}</span>
              </th>
              <td>
                <Spark points={group.hours} label="Failed attempts an hour" />
              </td>
              <td className={table.num}>{bounded(group.failed)}</td>
              <td className={table.num}>
                <Time at={group.last_seen_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
