import { ChartNoAxesGantt, History, ListTree, Workflow } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { ApiError } from '../../api/problem';
import { useWorkflow, type WorkflowAction, type WorkflowSummary } from '../../api/workflows';
import { Page } from '../../shell/Page';
import { useShortcut } from '../../shell/shortcuts';
import { Boundary } from '../../ui/Boundary';
import { Button } from '../../ui/Button';
import { StatusPill } from '../../ui/StatusPill';
import { Empty, Loaded, Problem, Skeleton } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import jobCss from '../job/job.module.css';
import jobs from '../jobs/jobs.module.css';
import { ACTIONS, ORDER, refusal } from '../workflows/actions';
import { ConfirmAction } from '../workflows/ConfirmAction';
import { about } from '../workflows/words';
import { TABS, type Tab, tabOf, withParams } from './addresses';
import { EventsTab } from './EventsTab';
import { GanttTab } from './GanttTab';
import { GraphTab } from './GraphTab';
import { StepDrawer } from './StepDrawer';
import { StepsTab } from './StepsTab';
import { WorkflowFacts } from './WorkflowFacts';

const LOOKS = {
  graph: ['Graph', Workflow],
  gantt: ['Gantt', ChartNoAxesGantt],
  steps: ['Steps', ListTree],
  events: ['Events', History],
} as const;
/** The most steps whose graph the API sends whole. */
const MAX_GRAPH = 2_000;

function Actions({ workflow }: { workflow: WorkflowSummary }) {
  const [asked, setAsked] = useState<WorkflowAction | null>(null);
  const ask = (action: WorkflowAction) =>
    refusal(workflow, action) ? undefined : () => setAsked(action);
  useShortcut('r', 'Retry failed steps', ask('retry'));
  useShortcut('n', 'Rerun the workflow', ask('rerun'));
  useShortcut('c', 'Cancel the workflow', ask('cancel'));
  return (
    <>
      {ORDER.map((action) => {
        const { verb, key, icon: Icon } = ACTIONS[action];
        return (
          <Button
            key={action}
            shortcut={key}
            refused={refusal(workflow, action)}
            look={action === 'cancel' ? 'danger' : 'plain'}
            onClick={() => setAsked(action)}
          >
            <Icon size={14} aria-hidden /> {verb}
          </Button>
        );
      })}
      {asked && <ConfirmAction workflow={workflow} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Tabs({ workflow, tab, params }: { workflow: number; tab: Tab; params: URLSearchParams }) {
  const near = params.get('near');
  return (
    <nav className={jobs.tabs} aria-label="Views">
      {TABS.map((name) => {
        const [word, Icon] = LOOKS[name];
        // A filter of one view means nothing in another.
        const query = new URLSearchParams({ tab: name, ...(near ? { near } : {}) });
        return (
          <Link
            key={name}
            href={`/workflows/${workflow}?${query}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            <Icon size={14} aria-hidden /> {word}
          </Link>
        );
      })}
    </nav>
  );
}

function Views({ workflow }: { workflow: WorkflowSummary }) {
  const [params, setParams] = useSearchParams();
  const tab = tabOf(params);
  const step = params.get('step');
  const change = useCallback(
    (what: Record<string, string | null>) =>
      setParams((before) => new URLSearchParams(withParams(before, what))),
    [setParams],
  );
  const open = useCallback((name: string) => change({ step: name }), [change]);
  const large = workflow.progress.steps > MAX_GRAPH;
  return (
    <>
      <section className={ui.card} aria-label={LOOKS[tab][0]}>
        <Tabs workflow={workflow.id} tab={tab} params={params} />
        <Boundary key={tab}>
          {tab === 'graph' && <GraphTab workflow={workflow} step={step} onOpen={open} />}
          {tab === 'gantt' && <GanttTab workflow={workflow} onOpen={open} />}
          {tab === 'steps' && <StepsTab workflow={workflow} />}
          {tab === 'events' && <EventsTab workflow={workflow} />}
        </Boundary>
      </section>
      {step !== null && (
        <StepDrawer
          workflow={workflow}
          step={step}
          onOpen={open}
          onNear={large ? () => change({ tab: 'graph', near: step, step: null }) : undefined}
          onClose={() => change({ step: null })}
        />
      )}
    </>
  );
}

export function WorkflowPage({ id }: { id: string }) {
  const known = /^\d{1,18}$/.test(id);
  const found = useWorkflow(known ? Number(id) : 0);
  if (!known || (found.error instanceof ApiError && found.error.status === 404)) {
    return (
      <Page title={`Workflow ${id}`}>
        <section className={ui.card} aria-label="Workflow">
          <Empty title="There is no such workflow">
            <p>It never was, or it was pruned some time after its end.</p>
            <Link href="/workflows">All workflows</Link>
          </Empty>
        </section>
      </Page>
    );
  }
  const { data } = found;
  return (
    <Page
      title={data ? data.name : `Workflow ${id}`}
      beside={
        data && (
          <>
            <span className={jobCss.id}>#{data.id}</span>
            <StatusPill status={data.status} about={about(data)} />
          </>
        )
      }
      actions={data && <Actions workflow={data} />}
    >
      {data ? (
        <>
          {found.error && <Problem error={found.error} />}
          <WorkflowFacts workflow={data} />
          <Views workflow={data} />
        </>
      ) : (
        <section className={ui.card} aria-label="Workflow">
          <Loaded of={found}>{() => <Skeleton />}</Loaded>
        </section>
      )}
    </Page>
  );
}
