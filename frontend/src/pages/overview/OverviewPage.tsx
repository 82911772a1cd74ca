import { Link } from 'wouter';
import { useJobs, useQueues, useStats, useWorkers } from '../../api/queries';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import css from './overview.module.css';
import { QueueSummary } from './QueueSummary';
import { RecentJobs } from './RecentJobs';
import { Tiles } from './Tiles';
import { TopFailures } from './TopFailures';
import { Verdict } from './Verdict';
import { findings } from './verdict';
import { WorkerSummary } from './WorkerSummary';

const FAILURES = { status: ['failed' as const], ordering: '-finished_at' as const, page_size: 6 };
const NEWEST = { page_size: 8 };

export function OverviewPage() {
  const stats = useStats();
  const queues = useQueues();
  const workers = useWorkers();
  const failures = useJobs(FAILURES);
  const newest = useJobs(NEWEST);
  const known = stats.data && queues.data && workers.data;
  const verdict = known
    ? findings(stats.data, queues.data.results, workers.data.results)
    : undefined;
  return (
    <Page title="Overview">
      <Verdict findings={verdict} />
      <Loaded of={stats} lines={2}>
        {(data) => <Tiles stats={data} workers={workers.data?.results ?? []} />}
      </Loaded>
      <div className={css.halves}>
        <Card title="Queues" note={<Link href="/queues">All queues</Link>}>
          <Loaded of={queues}>{({ results }) => <QueueSummary queues={results} />}</Loaded>
        </Card>
        <Card title="Workers" note={<Link href="/workers">All workers</Link>}>
          <Loaded of={workers}>{({ results }) => <WorkerSummary workers={results} />}</Loaded>
        </Card>
      </div>
      <TopFailures />
      <div className={css.halves}>
        <Card
          title="Latest failures"
          note={<Link href="/jobs?status=failed&ordering=-finished_at">All failed jobs</Link>}
        >
          <Loaded of={failures}>
            {({ results }) =>
              results.length ? (
                <RecentJobs jobs={results} failures />
              ) : (
                <Empty title="No job has failed" />
              )
            }
          </Loaded>
        </Card>
        <Card title="Latest jobs" note={<Link href="/jobs">All jobs</Link>}>
          <Loaded of={newest}>
            {({ results }) =>
              results.length ? (
                <RecentJobs jobs={results} />
              ) : (
                <Empty title="There are no jobs yet">
                  <p>Enqueue one from your code, or with the button at the top right.</p>
                </Empty>
              )
            }
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}
