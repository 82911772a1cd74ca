import { Link } from 'wouter';
import { useLatestFailures, useSlowestTasks } from '../../api/charts';
import { useJobs, useQueues, useSchedules, useStats, useWorkers } from '../../api/queries';
import { useWorkflows } from '../../api/workflows';
import { OverTime } from '../../charts/OverTime';
import { useNow } from '../../lib/now';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import { ActivityFeed } from './ActivityFeed';
import { FailureGroups } from './FailureGroups';
import css from './overview.module.css';
import { QueueSummary } from './QueueSummary';
import { RecentJobs } from './RecentJobs';
import { RecentWorkflows } from './RecentWorkflows';
import { SlowestTasks } from './SlowestTasks';
import { Tiles } from './Tiles';
import { TopFailures } from './TopFailures';
import { Verdict } from './Verdict';
import { findings } from './verdict';
import { WorkerSummary } from './WorkerSummary';

const NEWEST = { page_size: 8 };
const FEW = 5;

export function OverviewPage() {
  const stats = useStats();
  const queues = useQueues();
  const workers = useWorkers();
  const schedules = useSchedules(undefined);
  const slowest = useSlowestTasks('24h');
  const failures = useLatestFailures(FEW);
  const workflows = useWorkflows({ page_size: FEW });
  const newest = useJobs(NEWEST);
  const now = useNow();
  const known = stats.data && queues.data && workers.data;
  const verdict = known
    ? findings({
        stats: stats.data,
        queues: queues.data.results,
        workers: workers.data.results,
        schedules: schedules.data?.results ?? [],
        now,
      })
    : undefined;
  return (
    <Page title="Overview">
      <Verdict findings={verdict} />
      <Loaded of={stats} lines={2}>
        {(data) => <Tiles stats={data} workers={workers.data?.results ?? []} />}
      </Loaded>
      <OverTime />
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
        <Card title="Open failures" note={<Link href="/failures">All failures</Link>}>
          <Loaded of={failures}>{({ results }) => <FailureGroups groups={results} />}</Loaded>
        </Card>
        <Card title="Slowest tasks" note="attempts of the last 24 h">
          <Loaded of={slowest}>{({ results }) => <SlowestTasks tasks={results} />}</Loaded>
        </Card>
      </div>
      <div className={css.halves}>
        <Card title="Recent workflows" note={<Link href="/workflows">All workflows</Link>}>
          <Loaded of={workflows}>{({ results }) => <RecentWorkflows workflows={results} />}</Loaded>
        </Card>
        <ActivityFeed />
      </div>
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
    </Page>
  );
}
