import { Link, useSearchParams } from 'wouter';
import { useWorkflowEvents, type WorkflowSummary } from '../../api/workflows';
import { StatusPill } from '../../ui/StatusPill';
import { Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import { said, word } from '../job/words';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { withParams } from './addresses';

/** Everything that happened to the steps, the newest first. */
export function EventsTab({ workflow }: { workflow: WorkflowSummary }) {
  const [params, setParams] = useSearchParams();
  const cursor = params.get('cursor') ?? undefined;
  const events = useWorkflowEvents(workflow.id, cursor);
  return (
    <Loaded of={events} lines={10}>
      {(page) => (
        <div className={events.isPlaceholderData ? jobs.stale : undefined}>
          <div className={table.scroll}>
            <table className={`${table.table} ${table.cards}`}>
              <caption className="visually-hidden">Events, the newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col">Event</th>
                  <th scope="col">Status</th>
                  <th scope="col">Attempt</th>
                  <th scope="col">When</th>
                  <th scope="col">Who and why</th>
                </tr>
              </thead>
              <tbody>
                {page.results.map((event) => (
                  <tr key={event.id}>
                    <th scope="row">
                      <Link
                        className={table.clip}
                        href={`/workflows/${workflow.id}${withParams(params, { step: event.step })}`}
                        title={event.step}
                      >
                        {event.step}
                      </Link>
                    </th>
                    <td className={`${table.nowrap} ${table.end}`}>{word(event.kind)}</td>
                    <td>
                      <StatusPill status={event.to_status} />
                    </td>
                    <td data-label="Attempt" className={event.attempt ? '' : table.empty}>
                      {event.attempt || '–'}
                    </td>
                    <td data-label="When" className={table.nowrap}>
                      <Time at={event.at} />
                    </td>
                    <td className={`${table.main} ${table.wide} ${said(event) ? '' : table.empty}`}>
                      <span className={table.clip} title={said(event)}>
                        {said(event)}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Paging
            page={page}
            first={cursor === undefined}
            turn={(next) => setParams(new URLSearchParams(withParams(params, { cursor: next })))}
          />
        </div>
      )}
    </Loaded>
  );
}
