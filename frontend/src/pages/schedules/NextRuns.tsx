import { useState } from 'react';
import { type Schedule, useScheduleNext } from '../../api/queries';
import { Dialog } from '../../ui/Dialog';
import { Loaded } from '../../ui/states';
import { clockRule } from './clocks';
import { HowMany } from './HowMany';
import { Runs } from './Runs';
import css from './schedules.module.css';

/** The next fire times, on the clocks of the schedule's zone. */
export function NextRuns({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [count, setCount] = useState(5);
  const next = useScheduleNext(schedule.id, count);
  const rule = clockRule(schedule.cron ?? undefined, schedule.timezone);
  return (
    <Dialog title={`Next runs of ${schedule.name}`} onClose={onClose}>
      <Loaded of={next} lines={5}>
        {({ results }) => (
          <div className={css.scrolled}>
            <Runs runs={results} timezone={schedule.timezone} />
          </div>
        )}
      </Loaded>
      {rule && <p className={css.rule}>{rule}</p>}
      <HowMany count={count} onChange={setCount} />
    </Dialog>
  );
}
