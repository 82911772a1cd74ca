import { Link } from 'wouter';
import { useFailures } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { count } from '../../lib/format';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import table from '../../ui/table.module.css';
import { Badges } from '../failures/Badges';
import css from '../failures/failures.module.css';
import { Named } from '../failures/GroupsTable';
import { Sparkline } from '../failures/Sparkline';
import { lastDay } from '../failures/words';

const SHOWN = 5;
const RECENT = { status: ['open' as const], page_size: 50 };

/** Of the open groups seen last, those that failed most often in the last 24 hours. */
function Top() {
  const failures = useFailures(RECENT);
  return (
    <Card title="Top failures" note={<Link href="/failures">All failures</Link>}>
      <Loaded of={failures} lines={3}>
        {({ results }) => {
          const top = results
            .filter(({ hours }) => lastDay(hours) > 0)
            .sort((a, b) => lastDay(b.hours) - lastDay(a.hours))
            .slice(0, SHOWN);
          if (top.length === 0) return <Empty title="Nothing has failed in the last 24 hours" />;
          return (
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">Failure</th>
                    <th scope="col" className={css.wideOnly}>
                      Last 24 hours
                    </th>
                    <th scope="col" className={table.num}>
                      Failed attempts
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {top.map((group) => (
                    <tr key={group.fingerprint}>
                      <th scope="row" className={table.main}>
                        <span className={css.headline}>
                          <Link className={table.clip} href={`/failures/${group.fingerprint}`}>
                            <Named exception={group.exception} />
                          </Link>
                          <Badges group={group} />
                        </span>
                        <span className={`${table.clip} ${table.sub}`}>{group.task}</span>
                      </th>
                      <td className={`${css.trend} ${css.wideOnly}`}>
                        <Sparkline hours={group.hours} />
                      </td>
                      <td className={table.num}>{count(lastDay(group.hours))}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** Nothing for whoever may not see failures in groups. */
export function TopFailures() {
  return forbidden('view_errorgroup') ? null : <Top />;
}
