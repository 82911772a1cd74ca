import { type Schedule, useScheduleNext } from '../../api/queries';
import { Dialog } from '../../ui/Dialog';
import { Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import table from '../../ui/table.module.css';

/** The next fire times, on the clocks of the schedule's zone. */
export function NextRuns({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const next = useScheduleNext(schedule.id);
  return (
    <Dialog title={`Next runs of ${schedule.name}`} onClose={onClose}>
      <Loaded of={next} lines={5}>
        {({ results }) => (
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">In {schedule.timezone}</th>
                <th scope="col" className={table.num}>
                  From now
                </th>
              </tr>
            </thead>
            <tbody>
              {results.map(({ at, local }) => (
                <tr key={at}>
                  <td className="mono">{local.replace('T', ' ')}</td>
                  <td className={table.num}>
                    <Time at={at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Dialog>
  );
}
