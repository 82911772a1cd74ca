import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useHealth } from '../../api/queries';
import { boot } from '../../boot';
import { duration } from '../../lib/format';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { copy } from '../../ui/copy';
import { Pill } from '../../ui/StatusPill';
import table from '../../ui/table.module.css';
import ui from '../../ui/ui.module.css';

const CHECKS = [
  ['/healthz/', 'Web process', 'It answers.'],
  ['/readyz/', 'Database', 'It can be reached and has all the tables.'],
] as const;

function Check({
  path,
  name,
  good,
}: {
  path: '/healthz/' | '/readyz/';
  name: string;
  good: string;
}) {
  const { data, error } = useHealth(path);
  const state = error ? 'bad' : data ? 'good' : 'unknown';
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {state === 'good' && (
          <Pill tone="succeeded">
            <CircleCheck size={13} aria-hidden /> Good
          </Pill>
        )}
        {state === 'bad' && (
          <Pill tone="failed">
            <CircleX size={13} aria-hidden /> Not good
          </Pill>
        )}
        {state === 'unknown' && (
          <Pill tone="scheduled">
            <LoaderCircle size={13} aria-hidden /> Asking
          </Pill>
        )}
      </td>
      <td>{error ? error.message : data ? good : ''}</td>
    </tr>
  );
}

/** A setting as people read it. */
export function shownSetting(name: string, value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'object') {
    const pairs = Object.entries(value as Record<string, number | null>);
    return pairs
      .map(([key, age]) => `${key} ${age === null ? 'for good' : duration(age)}`)
      .join(', ');
  }
  return name.endsWith('_SECONDS') ? duration(Number(value)) : String(value);
}

export function SystemPage() {
  const { versions, settings, environment } = boot();
  const report = () => JSON.stringify({ versions, environment, settings }, null, 2);
  return (
    <Page title="System" actions={<Button onClick={() => copy(report())}>Copy report</Button>}>
      <Card title="Health">
        <div className={table.scroll}>
          <table className={table.table}>
            <tbody>
              {CHECKS.map(([path, name, good]) => (
                <Check key={path} path={path} name={name} good={good} />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title="Versions" padded>
        <dl className={ui.pairs}>
          {Object.entries(versions).map(([name, version]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{version}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title="Settings" note="as the web process has them">
        <div className={table.scroll}>
          <table className={table.table}>
            <tbody>
              {Object.entries(settings).map(([name, value]) => (
                <tr key={name}>
                  <th scope="row" className="mono">
                    {name}
                  </th>
                  <td>{shownSetting(name, value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
    </Page>
  );
}
