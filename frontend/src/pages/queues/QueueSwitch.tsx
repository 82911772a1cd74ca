import { useState } from 'react';
import { useQueueSwitch } from '../../api/actions';
import type { Schemas } from '../../api/client';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { toast } from '../../ui/toasts';

type Queue = Schemas['QForgeQueue'];

/** Asks why, then pauses or resumes. */
export function QueueSwitch({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const act = useQueueSwitch();
  const [pause] = useState(queue.paused_at === null);
  const word = pause ? 'Pause' : 'Resume';
  return (
    <ReasonDialog
      title={`${word} ${queue.name}?`}
      verb={`${word} queue`}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) =>
        act.mutate(
          { name: queue.name, pause, reason },
          {
            onSuccess: () => {
              toast(`${queue.name} ${pause ? 'is paused' : 'goes on'}`);
              onClose();
            },
          },
        )
      }
    >
      {pause
        ? 'Its jobs wait until the queue is resumed; those that run go on.'
        : 'Workers take its jobs again at once.'}
    </ReasonDialog>
  );
}
