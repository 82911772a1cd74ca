import { useId } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { JobStatus } from '../../api/client';
import {
  type StepQuery,
  type StepRow,
  useWorkflowSteps,
  type WorkflowSummary,
} from '../../api/workflows';
import { count } from '../../lib/format';
import { ORDER, STATUSES, shownStatus } from '../../lib/statuses';
import { Button } from '../../ui/Button';
import { Elapsed } from '../../ui/Elapsed';
import { StatusPill } from '../../ui/StatusPill';
import { Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { withParams } from './addresses';
import css from './workflow.module.css';

/** What the address asks for. What it cannot mean is left out. */
export function stepQuery(params: URLSearchParams): StepQuery {
  const status = ORDER.filter((known) => params.getAll('status').includes(known));
  const q = params.get('q')?.trim().slice(0, 200);
  const cursor = params.get('cursor');
  return {
    ...(status.length ? { status } : {}),
    ...(q ? { q } : {}),
    ...(cursor ? { cursor } : {}),
  };
}

/** Why a step is where it is, as far as its row can tell. */
export function note(step: StepRow): string {
  if (step.status === 'blocked') {
    const more = step.waits_for - 1;
    const others = more > 0 ? ` and ${count(more)} more` : '';
    return step.waits_on === null
      ? `waits for ${step.waits_for}`
      : `waits for ${step.waits_on}${others}`;
  }
  return step.status === 'succeeded' ? '' : step.error_preview;
}

function Row({ step, href }: { step: StepRow; href: string }) {
  const said = note(step);
  return (
    <tr>
      <td className={jobs.statusCell}>
        <StatusPill status={shownStatus(step)} />
      </td>
      <th scope="row" className={`${table.main} ${jobs.taskCell}`}>
        <Link className={table.clip} href={href} title={step.step}>
          {step.step}
        </Link>
        <span className={`${table.clip} ${table.sub}`}>
          {step.task} in {step.queue}
        </span>
      </th>
      <td data-label="Attempt" className={table.num}>
        {step.attempts} of {step.max_attempts}
      </td>
      <td data-label="Started" className={`${table.nowrap} ${step.started_at ? '' : table.empty}`}>
        <Time at={step.started_at} />
      </td>
      <td
        data-label="Ran"
        className={`${table.num} ${table.end} ${step.started_at ? '' : table.empty}`}
      >
        {step.status === 'running' || (step.finished_at && step.started_at) ? (
          <Elapsed from={step.started_at} to={step.finished_at} />
        ) : (
          '–'
        )}
      </td>
      <td className={`${css.noteCell} ${table.wide} ${said ? '' : table.empty}`}>
        <span className={`${table.clip} ${table.sub}`} title={said}>
          {said}
        </span>
      </td>
    </tr>
  );
}

interface FilterProps {
  query: StepQuery;
  workflow: WorkflowSummary;
  onChange: (change: Record<string, string | null>) => void;
}

function Filters({ query, workflow, onChange }: FilterProps) {
  const id = useId();
  const [chosen] = query.status ?? [];
  return (
    <div className={jobs.filters}>
      <div className={css.filterBar}>
        <form
          className={jobs.field}
          onSubmit={(event) => {
            event.preventDefault();
            onChange({ q: String(new FormData(event.currentTarget).get('q')).trim() || null });
          }}
        >
          <label htmlFor={id}>Name or task</label>
          <input
            key={query.q}
            id={id}
            name="q"
            defaultValue={query.q ?? ''}
            placeholder="any"
            maxLength={200}
            autoComplete="off"
            onBlur={(event) => {
              const text = event.target.value.trim();
              if (text !== (query.q ?? '')) onChange({ q: text || null });
            }}
          />
        </form>
        <div className={jobs.field}>
          <label htmlFor={`${id}-status`}>Status</label>
          <select
            id={`${id}-status`}
            value={chosen ?? ''}
            onChange={(event) => onChange({ status: event.target.value || null })}
          >
            <option value="">any</option>
            {ORDER.map((status: JobStatus) => (
              <option key={status} value={status}>
                {STATUSES[status].word} ({count(workflow.counts[status])})
              </option>
            ))}
          </select>
        </div>
      </div>
    </div>
  );
}

/** Every step in a table: the same as the graph, in text. */
export function StepsTab({ workflow }: { workflow: WorkflowSummary }) {
  const [params, setParams] = useSearchParams();
  const query = stepQuery(params);
  const steps = useWorkflowSteps(workflow.id, query);
  const change = (what: Record<string, string | null>) =>
    setParams(new URLSearchParams(withParams(params, { cursor: null, ...what })));
  return (
    <>
      <Filters query={query} workflow={workflow} onChange={change} />
      <Loaded of={steps} lines={8}>
        {(page) =>
          page.results.length === 0 ? (
            <Empty title="No step matches">
              <Button onClick={() => change({ q: null, status: null })}>Clear filters</Button>
            </Empty>
          ) : (
            <div className={steps.isPlaceholderData ? jobs.stale : undefined}>
              <div className={table.scroll}>
                <table className={`${table.table} ${table.cards}`}>
                  <caption className="visually-hidden">Steps</caption>
                  <thead>
                    <tr>
                      <th scope="col">Status</th>
                      <th scope="col">Step</th>
                      <th scope="col" className={table.num}>
                        Attempt
                      </th>
                      <th scope="col">Started</th>
                      <th scope="col" className={table.num}>
                        Ran
                      </th>
                      <th scope="col">Why</th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.results.map((step) => (
                      <Row
                        key={step.job}
                        step={step}
                        href={`/workflows/${workflow.id}${withParams(params, { step: step.step })}`}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
              <Paging page={page} first={!query.cursor} turn={(cursor) => change({ cursor })} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
