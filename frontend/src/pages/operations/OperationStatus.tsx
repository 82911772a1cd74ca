import type { Operation } from '../../api/queries';
import { STATUSES } from '../../lib/statuses';
import { Pill } from '../../ui/StatusPill';
import ui from '../../ui/ui.module.css';
import { LOOKS } from './words';

export function OperationStatus({ status }: { status: Operation['status'] }) {
  const { word, tone } = LOOKS[status];
  const Icon = STATUSES[tone].icon;
  return (
    <Pill tone={tone}>
      <Icon size={13} aria-hidden className={status === 'running' ? ui.spin : undefined} />
      {word}
    </Pill>
  );
}
