import { Download, SkipForward, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { cursorOf } from '../../api/client';
import {
  type Operation,
  type OperationItem,
  operationItems,
  useOperationItems,
} from '../../api/queries';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Pill } from '../../ui/StatusPill';
import { Loaded } from '../../ui/states';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toasts';
import { Paging } from '../jobs/Paging';
import { toCsv } from './csv';

async function download(id: number): Promise<void> {
  const rows: (string | number)[][] = [['job', 'outcome', 'reason']];
  let cursor: string | undefined;
  do {
    const page = await operationItems(id, { page_size: 200, cursor });
    rows.push(...page.results.map(({ job, outcome, reason }) => [job, outcome, reason]));
    cursor = cursorOf(page.next) ?? undefined;
  } while (cursor);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }));
  link.download = `operation-${id}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Outcome({ of }: { of: OperationItem['outcome'] }) {
  const failed = of === 'failed';
  const Icon = failed ? X : SkipForward;
  return (
    <Pill tone={failed ? 'failed' : 'cancelled'}>
      <Icon size={13} aria-hidden /> {failed ? 'Failed' : 'Skipped'}
    </Pill>
  );
}

/** The jobs that an operation left as they were, and why. */
export function Problems({ operation }: { operation: Operation }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const left = operation.skipped + operation.failed;
  const items = useOperationItems(operation.id, cursor, left);
  const save = () => {
    setBusy(true);
    download(operation.id)
      .catch((error: Error) => toast(error.message, 'bad'))
      .finally(() => setBusy(false));
  };
  const note = (
    <Button look="ghost" disabled={busy} onClick={save}>
      <Download size={14} aria-hidden /> {busy ? 'Downloading…' : 'Download as CSV'}
    </Button>
  );
  return (
    <Card title="Left as they were" note={note}>
      <Loaded of={items} lines={3}>
        {(page) => (
          <>
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">Outcome</th>
                    <th scope="col">Job</th>
                    <th scope="col">Reason</th>
                  </tr>
                </thead>
                <tbody>
                  {page.results.map(({ job, outcome, reason }) => (
                    <tr key={job}>
                      <td>
                        <Outcome of={outcome} />
                      </td>
                      <th scope="row">
                        <Link href={`/jobs/${job}`}>#{job}</Link>
                      </th>
                      <td>{reason}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Paging page={page} first={!cursor} turn={(next) => setCursor(next ?? undefined)} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
