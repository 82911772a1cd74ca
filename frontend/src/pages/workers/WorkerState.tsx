import { CircleCheck, CircleStop, Unplug } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { Pill } from '../../ui/StatusPill';

export function WorkerState({ worker }: { worker: Schemas['QForgeWorker'] }) {
  if (worker.lost) {
    return (
      <Pill tone="failed">
        <Unplug size={13} aria-hidden /> Lost
      </Pill>
    );
  }
  if (worker.stopping) {
    return (
      <Pill tone="retrying">
        <CircleStop size={13} aria-hidden /> Stopping
      </Pill>
    );
  }
  return (
    <Pill tone="succeeded">
      <CircleCheck size={13} aria-hidden /> Live
    </Pill>
  );
}
