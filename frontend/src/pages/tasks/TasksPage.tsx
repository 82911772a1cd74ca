import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { useTasks } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { duration, plural } from '../../lib/format';
import { Page } from '../../shell/Page';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Command, Empty, Loaded } from '../../ui/states';
import table from '../../ui/table.module.css';
import { EnqueueDrawer } from './EnqueueDrawer';
import { signature } from './signature';
import css from './tasks.module.css';

type Task = Schemas['QForgeTask'];

function Row({ task, onEnqueue }: { task: Task; onEnqueue: () => void }) {
  return (
    <tr>
      <th scope="row" className={`${table.main} ${css.name}`}>
        <Link
          className={table.clip}
          title={task.name}
          href={`/jobs?${new URLSearchParams({ task: task.name })}`}
        >
          {task.name}
        </Link>
        <span className={`${css.signature} mono`}>({signature(task)})</span>
        {task.doc && <span className={css.doc}>{task.doc.split('\n')[0]}</span>}
      </th>
      <td data-label="Queue">{task.queue}</td>
      <td data-label="Priority" className={`${table.num} ${table.end}`}>
        {task.priority}
      </td>
      <td data-label="Attempts" className={table.num}>
        {task.max_attempts}
      </td>
      <td data-label="Timeout" className={`${table.num} ${table.end}`}>
        {task.timeout_seconds === null ? 'none' : duration(task.timeout_seconds)}
      </td>
      <td className={`${table.num} ${table.wide}`}>
        <Button
          onClick={onEnqueue}
          refused={forbidden('enqueue_job')}
          aria-label={`Enqueue ${task.name}`}
        >
          <Plus size={13} aria-hidden /> Enqueue
        </Button>
      </td>
    </tr>
  );
}

const SAMPLE = '@task(name="shop.send_receipt", queue="mail")';

function Tasks({ tasks, onEnqueue }: { tasks: Task[]; onEnqueue: (name: string) => void }) {
  if (tasks.length === 0) {
    return (
      <Empty title="No task is registered">
        <p>
          Put functions into the <code>tasks.py</code> of an installed app and mark them:
        </p>
        <Command text={SAMPLE} />
      </Empty>
    );
  }
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${table.cards}`}>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Queue</th>
            <th scope="col" className={table.num}>
              Priority
            </th>
            <th scope="col" className={table.num}>
              Attempts
            </th>
            <th scope="col" className={table.num}>
              Timeout
            </th>
            <th scope="col">
              <span className="visually-hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <Row key={task.name} task={task} onEnqueue={() => onEnqueue(task.name)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TasksPage() {
  const tasks = useTasks();
  const [chosen, setChosen] = useState<string | null>(null);
  const note =
    tasks.data && `${plural(tasks.data.results.length, 'task')} known to the web process`;
  return (
    <Page title="Tasks">
      <Card title="Registered tasks" note={note}>
        <Loaded of={tasks}>
          {({ results }) => <Tasks tasks={results} onEnqueue={setChosen} />}
        </Loaded>
      </Card>
      {chosen !== null && <EnqueueDrawer task={chosen} onClose={() => setChosen(null)} />}
    </Page>
  );
}
