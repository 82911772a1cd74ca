import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Operation } from '../../api/queries';
import { count } from '../../lib/format';
import { Card } from '../../ui/Card';
import { Elapsed } from '../../ui/Elapsed';
import { Time } from '../../ui/Time';
import ui from '../../ui/ui.module.css';
import { listed, target } from './words';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ operation }: { operation: Operation }) {
  const list = listed(operation);
  const what = target(operation);
  const { runner_job: runner, rate_per_second: rate } = operation;
  return (
    <Card title="What was asked for" padded>
      <dl className={ui.pairs}>
        <Fact name="Jobs">{list ? <Link href={list}>{what}</Link> : what}</Fact>
        <Fact name="Matched at the start">
          {operation.matched === null ? '–' : count(operation.matched)}
        </Fact>
        <Fact name="By">{operation.actor || '–'}</Fact>
        <Fact name="Reason">{operation.reason || '–'}</Fact>
        <Fact name="Asked">
          <Time at={operation.created_at} />
        </Fact>
        <Fact name="Took">
          <Elapsed from={operation.started_at} to={operation.finished_at} />
        </Fact>
        <Fact name="Pace">{rate === null ? 'as fast as it goes' : `${rate} a second`}</Fact>
        <Fact name="Carried out by">
          {runner ? <Link href={`/jobs/${runner.id}`}>job {runner.id}</Link> : '–'}
        </Fact>
      </dl>
    </Card>
  );
}
