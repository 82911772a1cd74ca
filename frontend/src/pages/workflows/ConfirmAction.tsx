import { useLocation } from 'wouter';
import { useWorkflowAction, type WorkflowAction } from '../../api/workflows';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { toast } from '../../ui/toasts';
import { ACTIONS } from './actions';

interface Props {
  workflow: { id: number; name: string };
  action: WorkflowAction;
  /** Of a rerun: only this step and what is below it. */
  fromStep?: string;
  onClose: () => void;
}

export function ConfirmAction({ workflow, action, fromStep, onClose }: Props) {
  const act = useWorkflowAction();
  const [, navigate] = useLocation();
  const { verb, about, done } = ACTIONS[action];
  const confirm = (reason: string) =>
    act.mutate(
      { id: workflow.id, action, reason, fromSteps: fromStep === undefined ? [] : [fromStep] },
      {
        onSuccess: (answer) => {
          const again = action === 'rerun';
          toast(again ? `${workflow.name} #${workflow.id} runs again` : `${workflow.name} ${done}`);
          onClose();
          if (again) navigate(`/workflows/${answer.id}`);
        },
      },
    );
  const title = `${verb}: ${workflow.name} #${workflow.id}?`;
  return (
    <ReasonDialog
      title={title}
      verb={action === 'cancel' ? 'Cancel the workflow' : verb}
      danger={action === 'cancel'}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      {fromStep === undefined
        ? about
        : `A new workflow of the same steps is submitted. “${fromStep}” and everything below it run again; other steps that succeeded keep their results.`}
    </ReasonDialog>
  );
}
