import type { Ref } from 'react';
import { Link, useLocation } from 'wouter';
import type { FailureRow } from '../../api/client';
import { bounded, count } from '../../lib/format';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { Badges } from './Badges';
import css from './failures.module.css';
import { Sparkline } from './Sparkline';
import { classOf, jobsOf, RETRYING } from './words';

export function Named({ exception }: { exception: string }) {
  const { name, module } = classOf(exception);
  return (
    <>
      {name}
      {module && <span className={css.module}> {module}</span>}
    </>
  );
}

/** How many of its jobs have failed and how many will be tried again, each a way to them. */
function Jobs({ group }: { group: FailureRow }) {
  const { failed, retrying } = group;
  if (!failed.count && !retrying.count) return <span className={table.sub}>none left</span>;
  return (
    <span className={css.jobs}>
      {failed.count > 0 && <Link href={jobsOf(group, 'failed')}>{bounded(failed)} failed</Link>}
      {retrying.count > 0 && (
        <Link href={jobsOf(group, ...RETRYING)} className={css.retrying}>
          {bounded(retrying)} retrying
        </Link>
      )}
    </span>
  );
}

function Row({ group, chosen }: { group: FailureRow; chosen: boolean }) {
  const [, navigate] = useLocation();
  const href = `/failures/${group.fingerprint}`;
  return (
    <tr
      className={css.row}
      data-chosen={chosen}
      onClick={(event) => {
        const onLink = (event.target as Element).closest('a, button');
        if (!onLink && !window.getSelection()?.toString()) navigate(href);
      }}
    >
      <th scope="row" className={`${table.main} ${table.wide}`}>
        <span className={css.headline}>
          <Link className={table.clip} href={href} title={group.exception}>
            <Named exception={group.exception} />
          </Link>
          <Badges group={group} />
        </span>
        {group.message && (
          <span className={`${table.clip} ${css.message} mono`}>{group.message}</span>
        )}
        <span className={`${table.clip} ${table.sub}`}>
          {group.task}
          {group.culprit && <> · {group.culprit}</>}
        </span>
      </th>
      <td className={css.trend}>
        <Sparkline hours={group.hours} />
      </td>
      <td data-label="Jobs" className={table.nowrap}>
        <Jobs group={group} />
      </td>
      <td data-label="Attempts" className={`${table.num} ${table.end}`}>
        {count(group.occurrences)}
      </td>
      <td data-label="Seen" className={table.nowrap}>
        <Time at={group.last_seen_at} />
        <span className={`${table.sub} ${css.first}`}>
          first <Time at={group.first_seen_at} />
        </span>
      </td>
    </tr>
  );
}

interface Props {
  groups: FailureRow[];
  chosen: number | null;
  bodyRef: Ref<HTMLTableSectionElement>;
}

export function GroupsTable({ groups, chosen, bodyRef }: Props) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <caption className="visually-hidden">Groups of failures</caption>
        <thead>
          <tr>
            <th scope="col">Failure</th>
            <th scope="col">Last 24 hours</th>
            <th scope="col">Jobs now</th>
            <th scope="col" className={table.num}>
              Failed attempts
            </th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {groups.map((group, place) => (
            <Row key={group.fingerprint} group={group} chosen={place === chosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
