import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { cursorOf, type JobRow } from '../../api/client';
import { type JobQuery, type Page as JobsOnPage, useJobs } from '../../api/queries';
import { Page } from '../../shell/Page';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { Empty, Loaded, Problem } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import { BulkBar } from './BulkBar';
import { conditions } from './bulk';
import { FilterBar } from './FilterBar';
import { active, changed, FILTERS, fromAddress } from './filters';
import { JobsTable } from './JobsTable';
import css from './jobs.module.css';
import { Paging } from './Paging';
import { StatusTabs } from './StatusTabs';
import { useSelection } from './selection';
import { useRowKeys } from './useRowKeys';
import { useSteadyRows } from './useSteadyRows';

function NoJobs({ query, onClear }: { query: JobQuery; onClear: () => void }) {
  const set = active(query);
  if (set.length) {
    return (
      <Empty title="No job matches">
        <p>
          Nothing has{' '}
          {set.map(([name, value]) => `${FILTERS[name].toLowerCase()} “${value}”`).join(' and ')}
          {query.status ? ' in this status' : ''}.
        </p>
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  if (query.status?.length === 1) {
    const good = query.status[0] === 'failed';
    return (
      <Empty title={good ? 'No failed jobs' : `No ${query.status[0]} jobs`}>
        {good && <p>Every job that ended did so as it should.</p>}
      </Empty>
    );
  }
  return (
    <Empty title="There are no jobs yet">
      <p>Enqueue one from your code, or with the button at the top right.</p>
    </Empty>
  );
}

/** The server stopped searching in time; it goes on when asked. */
function SearchedInPart({
  page,
  turn,
}: {
  page: JobsOnPage<JobRow>;
  turn: (cursor: string | null) => void;
}) {
  return (
    <Empty title="No match so far">
      <p>Many jobs were looked through, and there are more.</p>
      <Button look="primary" onClick={() => turn(cursorOf(page.next))}>
        Look further
      </Button>
    </Empty>
  );
}

function Found({
  page,
  stale,
  query,
  turn,
  onClear,
}: {
  page: JobsOnPage<JobRow>;
  /** The rows still answer the question before. */
  stale: boolean;
  query: JobQuery;
  turn: (cursor: string | null) => void;
  onClear: () => void;
}) {
  const [hovered, setHovered] = useState(false);
  const [, render] = useState(0);
  const selection = useSelection(JSON.stringify(conditions(query)));
  const held = hovered || selection.any;
  const steady = useSteadyRows(page.results, held, JSON.stringify([query, stale]));
  const show = () => {
    steady.release();
    render((n) => n + 1);
  };
  useShortcut('n', 'Show what has changed', steady.fresh > 0 ? show : undefined);
  const { chosen, bodyRef } = useRowKeys(
    steady.rows.map(({ id }) => `/jobs/${id}`),
    {
      onSelect: (index, range) => {
        const row = steady.rows[index];
        if (row) selection.toggle(row.id, range, steady.rows);
      },
    },
  );
  if (steady.rows.length === 0) {
    return page.next ? (
      <SearchedInPart page={page} turn={turn} />
    ) : (
      <NoJobs query={query} onClear={onClear} />
    );
  }
  return (
    <div
      aria-busy={stale}
      className={stale ? css.stale : undefined}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {steady.fresh > 0 && (
        <div className={css.fresh}>
          <Button shortcut="n" onClick={show}>
            {steady.fresh} changed, show
          </Button>
        </div>
      )}
      <JobsTable
        jobs={steady.rows}
        chosen={chosen === null ? null : (steady.rows[chosen]?.id ?? null)}
        bodyRef={bodyRef}
        selection={selection}
      />
      <Paging page={page} first={!query.cursor} turn={turn} />
      <BulkBar selection={selection} query={query} />
    </div>
  );
}

export function JobsPage() {
  const [params, setParams] = useSearchParams();
  const query = fromAddress(params);
  const jobs = useJobs(query);
  const change = (what: Record<string, string | null>) => setParams(changed(params, what));
  const clear = () => change(Object.fromEntries(active(query).map(([name]) => [name, null])));
  const turn = (cursor: string | null) => {
    const next = new URLSearchParams(params);
    if (cursor) next.set('cursor', cursor);
    else next.delete('cursor');
    setParams(next);
    window.scrollTo(0, 0);
  };
  return (
    <Page title="Jobs">
      <section className={ui.card} aria-label="Jobs">
        <StatusTabs params={params} filtered={active(query).length > 0} />
        <FilterBar query={query} onChange={change} />
        {jobs.error && jobs.data && (
          <div className={ui.cardBody}>
            <Problem error={jobs.error} />
          </div>
        )}
        <Loaded of={jobs} lines={10}>
          {(page) => (
            <Found
              page={page}
              stale={jobs.isPlaceholderData}
              query={query}
              turn={turn}
              onClear={clear}
            />
          )}
        </Loaded>
      </section>
    </Page>
  );
}
