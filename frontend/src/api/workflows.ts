import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useLiveQuery } from '../live/useLive';
import { api, read, type Schemas } from './client';
import type { Page } from './queries';

const TEXT = { parseAs: 'text' } as const;

export type WorkflowRow = Schemas['QForgeWorkflow'];
export type WorkflowSummary = Schemas['QForgeWorkflowSummary'];
export type WorkflowStatus = Schemas['QForgeWorkflowStatus'];
export type WorkflowAction = Schemas['QForgeWorkflowAction'];
export type StepRow = Schemas['QForgeStepRow'];
export type StepEvent = Schemas['QForgeStepEvent'];
export type Graph = Schemas['QForgeWorkflowGraph'];
export type GraphNode = Schemas['QForgeGraphNode'];
export type Gantt = Schemas['QForgeGantt'];
export type GanttRow = Schemas['QForgeGanttRow'];

type Operations = import('./schema').operations;
export type WorkflowQuery = NonNullable<Operations['qforge_workflows_list']['parameters']['query']>;
export type StepQuery = NonNullable<Operations['qforge_workflows_steps']['parameters']['query']>;

const at = (id: number) => ({ path: { workflow_id: id } });

export const useWorkflows = (query: WorkflowQuery) =>
  useLiveQuery(
    ['workflows', query],
    (signal) =>
      read<Page<WorkflowRow>>(api().GET('/api/workflows/', { params: { query }, signal, ...TEXT })),
    { on: ['workflows'] },
  );

export const useWorkflow = (id: number) =>
  useLiveQuery(
    ['workflow', id],
    (signal) =>
      read<WorkflowSummary>(
        api().GET('/api/workflows/{workflow_id}/summary/', { params: at(id), signal, ...TEXT }),
      ),
    { on: [`workflow:${id}`], keep: false },
  );

/** The whole graph, or that around one step. A `large` one is read at an interval instead of at
 * every change, of which there are many. */
export const useWorkflowGraph = (id: number, around: string | undefined, large = false) =>
  useLiveQuery(
    // Another key for each pace, so that the last change is not missed when the pace changes.
    ['workflow', id, 'graph', around ?? '', large],
    (signal) => {
      const params = { ...at(id), query: around === undefined ? {} : { around } };
      return read<Graph>(
        api().GET('/api/workflows/{workflow_id}/graph/', { params, signal, ...TEXT }),
      );
    },
    { on: large ? undefined : [`workflow:${id}`], keep: around === undefined },
  );

export const useWorkflowSteps = (id: number, query: StepQuery) =>
  useLiveQuery(
    ['workflow', id, 'steps', query],
    (signal) => {
      const params = { ...at(id), query };
      return read<Page<StepRow>>(
        api().GET('/api/workflows/{workflow_id}/steps/', { params, signal, ...TEXT }),
      );
    },
    { on: [`workflow:${id}`] },
  );

export const useWorkflowEvents = (id: number, cursor: string | undefined) =>
  useLiveQuery(
    ['workflow', id, 'events', cursor ?? ''],
    (signal) => {
      const params = { ...at(id), query: { cursor } };
      return read<Page<StepEvent>>(
        api().GET('/api/workflows/{workflow_id}/events/', { params, signal, ...TEXT }),
      );
    },
    { on: [`workflow:${id}`] },
  );

/** Pages of the gantt; those that were asked for are read anew together, while `live`. */
export function useWorkflowGantt(id: number, live: boolean) {
  return useInfiniteQuery({
    queryKey: ['workflow', id, 'gantt'],
    queryFn: ({ pageParam: offset, signal }) =>
      read<Gantt>(
        api().GET('/api/workflows/{workflow_id}/gantt/', {
          params: { ...at(id), query: { offset } },
          signal,
          ...TEXT,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset }) => next_offset,
    meta: { on: live ? [`workflow:${id}`] : [] },
    placeholderData: keepPreviousData,
  });
}

export interface WorkflowWrite {
  id: number;
  action: WorkflowAction;
  reason: string;
  /** Of a rerun: the steps from which on everything runs again; all of it when empty. */
  fromSteps?: string[];
}

function act({ id, action, reason, fromSteps = [] }: WorkflowWrite): Promise<WorkflowRow> {
  const options = { params: at(id), body: { reason }, ...TEXT };
  if (action === 'cancel') {
    return read(api().POST('/api/workflows/{workflow_id}/cancel/', options));
  }
  if (action === 'retry') return read(api().POST('/api/workflows/{workflow_id}/retry/', options));
  const body = { reason, ...(fromSteps.length ? { from_steps: fromSteps } : {}) };
  return read(api().POST('/api/workflows/{workflow_id}/rerun/', { params: at(id), body, ...TEXT }));
}

export function useWorkflowAction() {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => void client.invalidateQueries() });
}
