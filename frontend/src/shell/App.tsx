import { Route, Switch, useLocation } from 'wouter';
import { useLiveUpdates } from '../live/useLive';
import { AuditPage } from '../pages/audit/AuditPage';
import { FailuresPage } from '../pages/failures/FailuresPage';
import { GroupPage } from '../pages/failures/GroupPage';
import { JobPage } from '../pages/job/JobPage';
import { JobsPage } from '../pages/jobs/JobsPage';
import { NotFoundPage } from '../pages/NotFoundPage';
import { OperationPage } from '../pages/operations/OperationPage';
import { OperationsPage } from '../pages/operations/OperationsPage';
import { OverviewPage } from '../pages/overview/OverviewPage';
import { QueuePage } from '../pages/queues/QueuePage';
import { QueuesPage } from '../pages/queues/QueuesPage';
import { SchedulesPage } from '../pages/schedules/SchedulesPage';
import { SystemPage } from '../pages/system/SystemPage';
import { TasksPage } from '../pages/tasks/TasksPage';
import { WorkersPage } from '../pages/workers/WorkersPage';
import { WorkflowPage } from '../pages/workflow/WorkflowPage';
import { WorkflowsPage } from '../pages/workflows/WorkflowsPage';
import { Announcer } from './Announcer';
import { Banner } from './Banner';
import { Header } from './Header';
import { Nav } from './Nav';
import { PLACES } from './routes';
import { SignedOut } from './SignedOut';
import css from './shell.module.css';
import { useShortcut, useShortcutKeys } from './shortcuts';
import { Toasts } from './Toasts';

function Go({ path, name, at }: { path: string; name: string; at: string }) {
  const [, navigate] = useLocation();
  useShortcut(`g ${at}`, name, () => navigate(path));
  return null;
}

export function App() {
  useLiveUpdates();
  useShortcutKeys();
  return (
    <div className={css.app}>
      <a className={css.skip} href="#main">
        Skip to the content
      </a>
      {PLACES.map(({ path, name, key }) => (
        <Go key={path} path={path} name={name} at={key} />
      ))}
      <Nav />
      <div>
        <Header />
        <Banner />
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/jobs" component={JobsPage} />
          <Route path="/jobs/:id">{({ id }) => <JobPage key={id} id={id} />}</Route>
          <Route path="/workflows" component={WorkflowsPage} />
          <Route path="/workflows/:id">{({ id }) => <WorkflowPage key={id} id={id} />}</Route>
          <Route path="/failures" component={FailuresPage} />
          <Route path="/failures/:fingerprint">
            {({ fingerprint }) => <GroupPage key={fingerprint} fingerprint={fingerprint} />}
          </Route>
          <Route path="/queues" component={QueuesPage} />
          <Route path="/queues/:name">
            {({ name }) => <QueuePage key={name} name={decodeURIComponent(name)} />}
          </Route>
          <Route path="/workers" component={WorkersPage} />
          <Route path="/schedules" component={SchedulesPage} />
          <Route path="/operations" component={OperationsPage} />
          <Route path="/operations/:id">{({ id }) => <OperationPage key={id} id={id} />}</Route>
          <Route path="/tasks" component={TasksPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/system" component={SystemPage} />
          <Route component={NotFoundPage} />
        </Switch>
      </div>
      <Announcer />
      <SignedOut />
      <Toasts />
    </div>
  );
}
