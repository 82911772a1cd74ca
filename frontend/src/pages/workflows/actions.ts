import { Ban, Repeat, RotateCcw } from 'lucide-react';
import type { WorkflowAction, WorkflowRow } from '../../api/workflows';
import { forbidden } from '../../lib/access';

export const ACTIONS = {
  retry: {
    verb: 'Retry failed steps',
    key: 'r',
    icon: RotateCcw,
    about:
      'Every step that failed or was cancelled runs again, with what is below it. What succeeded keeps its result.',
    done: 'goes on',
  },
  rerun: {
    verb: 'Rerun',
    key: 'n',
    icon: Repeat,
    about: 'The same steps are submitted once more as a new workflow. This one stays as it is.',
    done: 'runs again',
  },
  cancel: {
    verb: 'Cancel',
    key: 'c',
    icon: Ban,
    about: 'Steps that wait are cancelled at once, those that run are asked to stop.',
    done: 'is being cancelled',
  },
} as const satisfies Record<WorkflowAction, object>;

export const ORDER = Object.keys(ACTIONS) as WorkflowAction[];

type Known = Pick<WorkflowRow, 'status' | 'progress' | 'cancel_requested_at' | 'allowed_actions'>;

/** Why an action cannot be asked of the workflow as it is; undefined when it can. */
export function refusal(workflow: Known, action: WorkflowAction): string | undefined {
  if (workflow.allowed_actions.includes(action)) return forbidden('manage_workflow');
  const stopping = workflow.status === 'running' && workflow.cancel_requested_at !== null;
  if (action === 'cancel') {
    return stopping ? 'It is being cancelled already' : 'It has ended; there is nothing to cancel';
  }
  if (stopping) return 'It is being cancelled; retry it when that is over';
  return workflow.status === 'succeeded'
    ? 'It succeeded; rerun it to run its steps again'
    : 'No step of it has failed or been cancelled';
}
