import {
  Activity,
  Bug,
  CalendarClock,
  Layers,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  Rows3,
  ScrollText,
  Server,
  SquareFunction,
  Workflow,
} from 'lucide-react';

export interface Place {
  path: string;
  name: string;
  key: string;
  icon: LucideIcon;
  group?: string;
}

/** The pages of the navigation, in its order. Each has a key that follows `g`. */
export const PLACES: Place[] = [
  { path: '/', name: 'Overview', key: 'o', icon: LayoutDashboard },
  { path: '/jobs', name: 'Jobs', key: 'j', icon: ListTodo },
  { path: '/failures', name: 'Failures', key: 'f', icon: Bug },
  { path: '/workflows', name: 'Workflows', key: 'w', icon: Workflow },
  { path: '/queues', name: 'Queues', key: 'q', icon: Rows3, group: 'Running it' },
  { path: '/workers', name: 'Workers', key: 'k', icon: Server },
  { path: '/schedules', name: 'Schedules', key: 's', icon: CalendarClock },
  { path: '/tasks', name: 'Tasks', key: 't', icon: SquareFunction },
  { path: '/operations', name: 'Operations', key: 'b', icon: Layers, group: 'Keeping it' },
  { path: '/audit', name: 'Audit', key: 'a', icon: ScrollText },
  { path: '/system', name: 'System', key: 'y', icon: Activity },
];
