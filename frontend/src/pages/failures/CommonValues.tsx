import type { Failure } from '../../api/client';
import { stringifyExact } from '../../lib/exactJson';
import { count } from '../../lib/format';
import { Card } from '../../ui/Card';
import { Empty } from '../../ui/states';
import table from '../../ui/table.module.css';
import css from './failures.module.css';

function text(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExact(value);
}

/** What most of the payloads share, which often is the cause. */
export function CommonValues({ group }: { group: Failure }) {
  const { common_values: shared, payload_visible: visible } = group;
  const of = shared[0]?.of;
  return (
    <Card
      title="In common"
      note={of !== undefined && `values shared by the latest ${count(of)} payloads`}
    >
      {shared.length === 0 ? (
        <Empty title={visible ? 'Nothing stands out' : 'Payloads are not shown to you'}>
          <p>
            {visible
              ? 'The payloads of its jobs share no value, or there are fewer than three.'
              : 'It needs the permission qforge.view_payload.'}
          </p>
        </Empty>
      ) : (
        <div className={table.scroll}>
          <table className={`${table.table} ${css.shared}`}>
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">Value</th>
                <th scope="col" className={table.num}>
                  Jobs
                </th>
              </tr>
            </thead>
            <tbody>
              {shared.map(({ path, value, jobs }) => (
                <tr key={`${path} ${text(value)}`}>
                  <th scope="row">
                    <code className={table.clip} title={path}>
                      {path}
                    </code>
                  </th>
                  <td>
                    <code className={table.clip} title={text(value)}>
                      {text(value)}
                    </code>
                  </td>
                  <td className={table.num}>
                    {jobs === of ? 'all' : `${count(jobs)} of ${count(of ?? 0)}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
