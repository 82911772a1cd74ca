import { useSearchParams } from 'wouter';
import { useWorkflowGraph, type WorkflowSummary } from '../../api/workflows';
import { count } from '../../lib/format';
import { Empty, Loaded } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import { MAX_BOXES } from './drawing';
import { GraphView } from './GraphView';

interface Props {
  workflow: WorkflowSummary;
  step: string | null;
  onOpen: (step: string) => void;
}

/** The graph: whole, or, of a workflow too large for that, around the step that was chosen. */
export function GraphTab({ workflow, step, onOpen }: Props) {
  const [params] = useSearchParams();
  const near = params.get('near') ?? undefined;
  const large = workflow.status === 'running' && workflow.progress.steps > MAX_BOXES;
  const whole = useWorkflowGraph(workflow.id, near, large && near === undefined);
  return (
    <Loaded of={whole} lines={10}>
      {(graph) =>
        graph.nodes.length === 0 ? (
          <Empty title={`${count(graph.steps)} steps are too many to draw`}>
            <p>
              The tabs Steps and Gantt show all of them. Open a step there, and “Show in the graph”
              draws it with those around it.
            </p>
          </Empty>
        ) : (
          <>
            {near !== undefined && (
              <p className={ui.cardBody}>
                <span className={ui.muted}>
                  {count(graph.nodes.length)} of {count(graph.steps)} steps: “{near}” and those up
                  to two edges away.
                </span>
              </p>
            )}
            <GraphView graph={graph} step={step ?? near ?? null} onOpen={onOpen} />
          </>
        )
      }
    </Loaded>
  );
}
