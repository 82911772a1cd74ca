import { Ban, FastForward, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { type JobAction, useJobAction } from '../../api/actions';
import type { Job } from '../../api/client';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { toast } from '../../ui/toasts';
import { refusal } from './refusal';

const ACTIONS = {
  retry: {
    verb: 'Retry',
    key: 'r',
    icon: RotateCcw,
    about: 'It is queued anew with all its attempts. Its history stays.',
    done: 'is queued anew',
  },
  'run-now': {
    verb: 'Run now',
    key: 'n',
    icon: FastForward,
    about: 'It is queued at once instead of at its time.',
    done: 'is queued',
  },
  cancel: {
    verb: 'Cancel',
    key: 'c',
    icon: Ban,
    about: 'A waiting job is cancelled at once.',
    done: 'is cancelled',
  },
} as const;

const RUNNING =
  'It is asked to stop. It ends cancelled when its handler does, unless that succeeds all the same.';

function Confirm({ job, action, onClose }: { job: Job; action: JobAction; onClose: () => void }) {
  const act = useJobAction();
  const { verb, about, done } = ACTIONS[action];
  const running = action === 'cancel' && job.status === 'running';
  return (
    <ReasonDialog
      title={`${verb} job ${job.id}?`}
      verb={action === 'cancel' ? 'Cancel the job' : verb}
      danger={action === 'cancel'}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) =>
        act.mutate(
          { id: job.id, action, reason },
          {
            onSuccess: () => {
              toast(`Job ${job.id} ${running ? 'is asked to stop' : done}`);
              onClose();
            },
          },
        )
      }
    >
      {running ? RUNNING : about}
    </ReasonDialog>
  );
}

export function JobActions({ job }: { job: Job }) {
  const [asked, setAsked] = useState<JobAction | null>(null);
  const ask = (action: JobAction) => (refusal(job, action) ? undefined : () => setAsked(action));
  useShortcut('r', 'Retry the job', ask('retry'));
  useShortcut('n', 'Run the job now', ask('run-now'));
  useShortcut('c', 'Cancel the job', ask('cancel'));
  return (
    <>
      {(Object.keys(ACTIONS) as JobAction[]).map((action) => {
        const { verb, key, icon: Icon } = ACTIONS[action];
        return (
          <Button
            key={action}
            shortcut={key}
            refused={refusal(job, action)}
            look={action === 'cancel' ? 'danger' : 'plain'}
            onClick={() => setAsked(action)}
          >
            <Icon size={14} aria-hidden /> {verb}
          </Button>
        );
      })}
      {asked && <Confirm job={job} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
