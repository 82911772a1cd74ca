import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  useWorkflows,
  type WorkflowAction,
  type WorkflowQuery,
  type WorkflowRow,
} from '../../api/workflows';
import { STATUSES as LOOKS } from '../../lib/statuses';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Command, Empty, Loaded, Problem } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { useRowKeys } from '../jobs/useRowKeys';
import { ConfirmAction } from './ConfirmAction';
import { active, changed, FILTERS, fromAddress, STATUSES } from './filters';
import { WorkflowsTable } from './WorkflowsTable';
import css from './workflows.module.css';

const SAMPLE =
  'Workflow("release").step("build", "ci.build").step("deploy", "ci.deploy", after="build").submit()';

type Change = (what: Record<string, string | null>) => void;

function Tabs({ params, query }: { params: URLSearchParams; query: WorkflowQuery }) {
  const to = (status: string | null) => `/workflows?${changed(params, { status })}`;
  return (
    <nav className={jobs.tabs} aria-label="Status">
      <Link href={to(null)} aria-current={query.status ? undefined : 'page'}>
        All
      </Link>
      {STATUSES.map((status) => {
        const { word, icon: Icon } = LOOKS[status];
        const current = query.status?.length === 1 && query.status[0] === status;
        return (
          <Link key={status} href={to(status)} aria-current={current ? 'page' : undefined}>
            <Icon size={14} aria-hidden style={{ color: `var(--${status})` }} />
            {word}
          </Link>
        );
      })}
    </nav>
  );
}

function Filters({ query, onChange }: { query: WorkflowQuery; onChange: Change }) {
  const id = useId();
  const set = active(query);
  return (
    <div className={jobs.filters}>
      <form
        className={`${jobs.field} ${css.filter}`}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ name: String(new FormData(event.currentTarget).get('name')).trim() });
        }}
      >
        <label htmlFor={id}>Name, exactly</label>
        <input
          key={query.name}
          id={id}
          name="name"
          defaultValue={query.name ?? ''}
          placeholder="any"
          maxLength={255}
          autoComplete="off"
          onBlur={(event) =>
            event.target.value.trim() !== (query.name ?? '') &&
            onChange({ name: event.target.value.trim() })
          }
        />
      </form>
      {set.length > 0 && (
        <ul className={jobs.chips} aria-label="Filters">
          {set.map(([name, value]) => (
            <li key={name}>
              <span>
                {FILTERS[name]}: <b>{value}</b>
              </span>
              <button
                type="button"
                aria-label={`Remove ${FILTERS[name]}`}
                onClick={() => onChange({ [name]: null })}
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function None({ query, onClear }: { query: WorkflowQuery; onClear: () => void }) {
  const set = active(query);
  if (set.length > 0) {
    return (
      <Empty title="No workflow matches">
        <p>
          Nothing has{' '}
          {set.map(([name, value]) => `${FILTERS[name].toLowerCase()} “${value}”`).join(' and ')}
          {query.status ? ' in this status' : ''}.
        </p>
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  if (query.status) {
    const good = query.status[0] === 'failed';
    return (
      <Empty title={`No ${query.status.join(' or ')} workflows`}>
        {good && <p>No workflow that is kept has failed.</p>}
      </Empty>
    );
  }
  return (
    <Empty title="There are no workflows yet">
      <p>A workflow is jobs that wait for one another. Submit one from your code:</p>
      <Command text={SAMPLE} />
    </Empty>
  );
}

interface Asked {
  workflow: WorkflowRow;
  action: WorkflowAction;
}

export function WorkflowsPage() {
  const [params, setParams] = useSearchParams();
  const query = fromAddress(params);
  const found = useWorkflows(query);
  const [asked, setAsked] = useState<Asked | null>(null);
  const rows = found.data?.results ?? [];
  const { chosen, bodyRef } = useRowKeys(rows.map(({ id }) => `/workflows/${id}`));
  const change: Change = (what) => setParams(changed(params, what));
  const turn = (cursor: string | null) => {
    const next = new URLSearchParams(params);
    if (cursor) next.set('cursor', cursor);
    else next.delete('cursor');
    setParams(next);
    window.scrollTo(0, 0);
  };
  const clear = () => change(Object.fromEntries(active(query).map(([name]) => [name, null])));
  return (
    <Page title="Workflows">
      <section className={ui.card} aria-label="Workflows">
        <Tabs params={params} query={query} />
        <Filters query={query} onChange={change} />
        {found.error && found.data && (
          <div className={ui.cardBody}>
            <Problem error={found.error} />
          </div>
        )}
        <Loaded of={found} lines={8}>
          {(page) =>
            page.results.length === 0 ? (
              <None query={query} onClear={clear} />
            ) : (
              <div
                aria-busy={found.isPlaceholderData}
                className={found.isPlaceholderData ? jobs.stale : undefined}
              >
                <WorkflowsTable
                  workflows={page.results}
                  chosen={chosen === null ? null : (rows[chosen]?.id ?? null)}
                  bodyRef={bodyRef}
                  onAsk={(workflow, action) => setAsked({ workflow, action })}
                />
                <Paging page={page} first={!query.cursor} turn={turn} />
              </div>
            )
          }
        </Loaded>
      </section>
      {asked && <ConfirmAction {...asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}
