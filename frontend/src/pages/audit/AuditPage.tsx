import { useId } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type AuditEntry, useAudit } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { changed } from '../failures/address';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { FILTERS, type Filter, fromAddress, NAMES, pageOf } from './address';
import css from './audit.module.css';
import { changes } from './changes';

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

function Value({ text }: { text: string }) {
  return MOMENT.test(text) ? <Time at={text} /> : text;
}

function Changes({ entry }: { entry: AuditEntry }) {
  const found = changes(entry.before, entry.after);
  if (!found.length) return <>–</>;
  return (
    <ul className={css.changes}>
      {found.map(({ name, before, after }) => (
        <li key={name}>
          <span className={table.sub}>{name}</span>{' '}
          {before !== undefined && (
            <del title={before}>
              <Value text={before} />
            </del>
          )}
          {before !== undefined && after !== undefined && ' → '}
          {after !== undefined && (
            <ins title={after}>
              <Value text={after} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const page = pageOf(entry.action, entry.target);
  return (
    <tr>
      <th scope="row" className={table.nowrap}>
        <Time at={entry.at} />
      </th>
      <td>
        <span className={table.clip} title={entry.actor}>
          {entry.actor}
        </span>
        <span className={table.sub}>{entry.via}</span>
      </td>
      <td>
        <span className="mono">{entry.action}</span>
        <span className={table.clip} title={entry.target}>
          {page ? <Link href={page}>{entry.target}</Link> : entry.target}
        </span>
      </td>
      <td className={`${table.main} ${table.wide}`}>
        <Changes entry={entry} />
      </td>
      <td className={table.wide} data-label={entry.reason ? 'Reason' : undefined}>
        {entry.reason && <span className={css.reason}>{entry.reason}</span>}
        {entry.request_id && (
          <span className={`${table.clip} ${table.sub} mono`} title={`Request ${entry.request_id}`}>
            {entry.request_id}
          </span>
        )}
      </td>
    </tr>
  );
}

interface FieldProps {
  name: Filter;
  value: string;
  onTake: (text: string) => void;
}

function Field({ name, value, onTake }: FieldProps) {
  const id = useId();
  const take = (text: string) => text.trim() !== value && onTake(text.trim());
  return (
    <form
      className={jobs.field}
      onSubmit={(event) => {
        event.preventDefault();
        take(String(new FormData(event.currentTarget).get(name)));
      }}
    >
      <label htmlFor={id}>{FILTERS[name]}</label>
      <input
        key={value}
        id={id}
        name={name}
        defaultValue={value}
        placeholder={name === 'action' ? 'queue.pause' : 'any'}
        maxLength={255}
        autoComplete="off"
        onBlur={(event) => take(event.target.value)}
      />
    </form>
  );
}

const HEADS = ['When', 'Who', 'What', 'Change', 'Reason and request'];

function Entries({ entries }: { entries: AuditEntry[] }) {
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards} ${css.table}`}>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Audit() {
  const [params, setParams] = useSearchParams();
  const query = fromAddress(params);
  const audit = useAudit(query);
  const filtered = NAMES.some((name) => query[name]);
  const turn = (cursor: string | null) => {
    const next = changed(params, {});
    if (cursor) next.set('cursor', cursor);
    setParams(next);
  };
  return (
    <Card title="What people have changed" note="newest first">
      <div className={jobs.filters}>
        <div className={jobs.bar}>
          {NAMES.map((name) => (
            <Field
              key={name}
              name={name}
              value={query[name] ?? ''}
              onTake={(text) => setParams(changed(params, { [name]: text }))}
            />
          ))}
        </div>
      </div>
      <Loaded of={audit}>
        {(page) =>
          page.results.length === 0 ? (
            <Empty title={filtered ? 'No entry matches' : 'Nobody has changed anything yet'}>
              {filtered ? (
                <Button onClick={() => setParams(new URLSearchParams())}>Clear filters</Button>
              ) : (
                <p>
                  Cancels, retries, pauses and changes of schedules stand here, whether they come by
                  the console, the API or the command line.
                </p>
              )}
            </Empty>
          ) : (
            <>
              <Entries entries={page.results} />
              <Paging page={page} first={!query.cursor} turn={turn} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

export function AuditPage() {
  const refused = forbidden('view_audit');
  return (
    <Page title="Audit">
      {refused ? (
        <Card title="What people have changed">
          <Empty title="You may not look at the audit">
            <p>{refused}.</p>
          </Empty>
        </Card>
      ) : (
        <Audit />
      )}
    </Page>
  );
}
