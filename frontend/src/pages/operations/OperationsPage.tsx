import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Operation, useOperations } from '../../api/queries';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';
import jobs from '../jobs/jobs.module.css';
import { Paging } from '../jobs/Paging';
import { useRowKeys } from '../jobs/useRowKeys';
import { OperationStatus } from './OperationStatus';
import css from './operations.module.css';
import { ProgressBar } from './ProgressBar';
import { progress, target, VERBS } from './words';

function Row({ operation, chosen }: { operation: Operation; chosen: boolean }) {
  const [, navigate] = useLocation();
  const href = `/operations/${operation.id}`;
  return (
    <tr
      className={jobs.row}
      data-chosen={chosen}
      onClick={(event) => {
        if (!(event.target as Element).closest('a')) navigate(href);
      }}
    >
      <td className={jobs.statusCell}>
        <OperationStatus status={operation.status} />
      </td>
      <th scope="row" className={`${table.main} ${jobs.taskCell}`}>
        <Link className={table.clip} href={href} title={target(operation)}>
          {VERBS[operation.action]} {target(operation)}{' '}
          <span className={table.sub}>#{operation.id}</span>
        </Link>
        {operation.reason && (
          <span className={`${table.clip} ${table.sub}`}>{operation.reason}</span>
        )}
      </th>
      <td className={css.barCell}>
        <span className={table.sub}>{progress(operation)}</span>
        <ProgressBar operation={operation} thin />
      </td>
      <td data-label="By">
        <span className={table.clip}>{operation.actor || '–'}</span>
      </td>
      <td data-label="Asked" className={table.nowrap}>
        <Time at={operation.created_at} />
      </td>
    </tr>
  );
}

function Rows({ operations }: { operations: Operation[] }) {
  const { chosen, bodyRef } = useRowKeys(operations.map(({ id }) => `/operations/${id}`));
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <caption className="visually-hidden">Operations</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Operation</th>
            <th scope="col">Progress</th>
            <th scope="col">By</th>
            <th scope="col">Asked</th>
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {operations.map((operation, index) => (
            <Row key={operation.id} operation={operation} chosen={index === chosen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function OperationsPage() {
  const [cursor, setCursor] = useState<string | undefined>();
  const operations = useOperations(cursor);
  return (
    <Page title="Operations">
      <Card title="Actions on many jobs">
        <Loaded of={operations}>
          {(page) =>
            page.results.length === 0 ? (
              <Empty title="Nobody has acted on many jobs yet">
                <p>
                  Select some on the page of <Link href="/jobs">jobs</Link>, or all that match a
                  filter there.
                </p>
              </Empty>
            ) : (
              <>
                <Rows operations={page.results} />
                <Paging page={page} first={!cursor} turn={(next) => setCursor(next ?? undefined)} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}
