import { Link, useSearchParams } from 'wouter';
import type { FailureRow } from '../../api/client';
import { type FailureQuery, type Page as OnPage, useFailures } from '../../api/queries';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Empty, Loaded, Problem } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { useRowKeys } from '../jobs/useRowKeys';
import { changed, FILTERS, fromAddress, NAMES, tabOf } from './address';
import { Filters } from './Filters';
import { GroupsTable } from './GroupsTable';
import { GROUP_STATUSES } from './words';

type Change = (change: Record<string, string | null>) => void;

const TABS = [...Object.entries(GROUP_STATUSES), ['all', { word: 'All' }]] as [
  string,
  { word: string },
][];

function Tabs({ params }: { params: URLSearchParams }) {
  const here = tabOf(params) ?? 'all';
  return (
    <nav className={jobs.tabs} aria-label="Status">
      {TABS.map(([status, { word }]) => (
        <Link
          key={status}
          href={`/failures?${changed(params, { status: status === 'open' ? null : status })}`}
          aria-current={status === here ? 'page' : undefined}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
}

function NoGroups({ query, onClear }: { query: FailureQuery; onClear: () => void }) {
  const set = NAMES.filter((name) => query[name]);
  if (set.length) {
    return (
      <Empty title="No group matches">
        <p>
          Nothing{query.status ? ` ${query.status[0]}` : ''} has{' '}
          {set.map((name) => `${FILTERS[name].toLowerCase()} “${query[name]}”`).join(' and ')}.
        </p>
        <Button onClick={onClear}>Clear filters</Button>
      </Empty>
    );
  }
  if (query.status?.[0] === 'open') {
    return (
      <Empty title="Nothing needs you">
        <p>No failure is open. What fails next, or again, shows up here within seconds.</p>
        <Link href="/failures?status=all">All failures</Link>
      </Empty>
    );
  }
  if (query.status) return <Empty title={`No ${query.status[0]} failures`} />;
  return (
    <Empty title="No job has failed">
      <p>Failures that are alike will stand here as one group, with their trend and their jobs.</p>
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
  page: OnPage<FailureRow>;
  /** The rows still answer the question before. */
  stale: boolean;
  query: FailureQuery;
  turn: (cursor: string | null) => void;
  onClear: () => void;
}) {
  const { chosen, bodyRef } = useRowKeys(
    page.results.map(({ fingerprint }) => `/failures/${fingerprint}`),
  );
  if (page.results.length === 0) return <NoGroups query={query} onClear={onClear} />;
  return (
    <div aria-busy={stale} className={stale ? jobs.stale : undefined}>
      <GroupsTable groups={page.results} chosen={chosen} bodyRef={bodyRef} />
      <Paging page={page} first={!query.cursor} turn={turn} />
    </div>
  );
}

export function FailuresPage() {
  const [params, setParams] = useSearchParams();
  const query = fromAddress(params);
  const failures = useFailures(query);
  const change: Change = (what) => setParams(changed(params, what));
  const turn = (cursor: string | null) => {
    const next = new URLSearchParams(params);
    if (cursor) next.set('cursor', cursor);
    else next.delete('cursor');
    setParams(next);
    window.scrollTo(0, 0);
  };
  return (
    <Page title="Failures">
      <section className={ui.card} aria-label="Failures">
        <Tabs params={params} />
        <Filters query={query} onChange={change} />
        {failures.error && failures.data && (
          <div className={ui.cardBody}>
            <Problem error={failures.error} />
          </div>
        )}
        <Loaded of={failures} lines={10}>
          {(page) => (
            <Found
              page={page}
              stale={failures.isPlaceholderData}
              query={query}
              turn={turn}
              onClear={() => change({ q: null, task: null, queue: null })}
            />
          )}
        </Loaded>
      </section>
    </Page>
  );
}
