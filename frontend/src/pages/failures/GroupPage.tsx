import { Link } from 'wouter';
import { ApiError } from '../../api/problem';
import { useFailure } from '../../api/queries';
import { boot } from '../../boot';
import { duration } from '../../lib/format';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Empty, Loaded, Problem, Skeleton } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import { Badges } from './Badges';
import { CommonValues } from './CommonValues';
import css from './failures.module.css';
import { GroupActions } from './GroupActions';
import { GroupFacts } from './GroupFacts';
import { GroupJobs } from './GroupJobs';
import { Histogram } from './Histogram';
import { Samples } from './Samples';
import { classOf } from './words';

function Gone({ fingerprint }: { fingerprint: string }) {
  const kept = boot().settings.ERROR_GROUP_RETENTION_SECONDS;
  return (
    <Card title={`Group ${fingerprint}`}>
      <Empty title="There is no such group of failures">
        <p>
          It never was, or it was pruned.{' '}
          {typeof kept === 'number' &&
            `Groups without jobs are kept for ${duration(kept)} after they were last seen.`}
        </p>
        <Link href="/failures?status=all">All failures</Link>
      </Empty>
    </Card>
  );
}

export function GroupPage({ fingerprint }: { fingerprint: string }) {
  const group = useFailure(fingerprint);
  const { data, error } = group;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Page title="Failure">
        <Gone fingerprint={fingerprint} />
      </Page>
    );
  }
  return (
    <Page
      title={data ? classOf(data.exception).name : 'Failure'}
      beside={data && <Badges group={data} withStatus />}
      actions={data && <GroupActions group={data} />}
    >
      {data ? (
        <>
          {error && <Problem error={error} />}
          <GroupFacts group={data} />
          <div className={css.halves}>
            <Histogram group={data} />
            <CommonValues group={data} />
          </div>
          <GroupJobs group={data} />
          <Samples group={data} />
        </>
      ) : (
        <section className={ui.card} aria-label="Failure">
          <Loaded of={group}>{() => <Skeleton />}</Loaded>
        </section>
      )}
    </Page>
  );
}
