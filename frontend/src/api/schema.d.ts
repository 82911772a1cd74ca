// Generated from docs/openapi.yaml by `npm run types`. Not edited by hand.
export interface paths {
    "/api/audit/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what people have changed, by the API, the console, the command line or the admin
         * @description Enqueued jobs and submitted workflows are not in it; their events tell who asked for them.
         */
        get: operations["qforge_audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events after a cursor, each exactly once
         * @description An answer is in the order of ids, and the ids of one job's events rise in the order in which
         *     they happened. An event that is committed late comes in a later answer; none is skipped.
         */
        get: operations["qforge_events_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/failures/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups of failures that are alike, the latest seen first
         * @description A group stays when retention has pruned its jobs. Counts of jobs are bounded.
         */
        get: operations["qforge_failures_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/failures/{fingerprint}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a group of failures, with samples of its jobs and what their payloads share */
        get: operations["qforge_failures_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Resolve, ignore or open a group of failures, or write a note
         * @description A resolved group opens again by itself when it is seen again, an ignored one after as many
         *     more failures as `ignore_for` says.
         */
        patch: operations["qforge_failures_change"];
        trace?: never;
    };
    "/api/jobs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, the newest first
         * @description Rows hold the beginning of the payload only. Page with the URLs in `next` and `previous`:
         *     they neither repeat nor skip a job, whatever changes in between. Among very many jobs a
         *     search for rare ones is cut off in time: then a page has few rows or none and a `next`.
         */
        get: operations["qforge_jobs_list"];
        put?: never;
        /**
         * Enqueue a job
         * @description Answers 200 with the job there is when the idempotency key has one already, and 422 when
         *     that one was asked for in other words. A key is kept as long as its job, finished or not.
         */
        post: operations["qforge_jobs_enqueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a job, with its payload and result */
        get: operations["qforge_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description A waiting job is cancelled at once. A running one is asked to stop; it is cancelled when its
         *     handler does, unless the handler succeeds all the same.
         */
        post: operations["qforge_jobs_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List everything that happened to a job */
        get: operations["qforge_jobs_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/retry/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queue a failed or cancelled job anew, with all its attempts */
        post: operations["qforge_jobs_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/run-now/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queue a scheduled job before its time */
        post: operations["qforge_jobs_run_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/why/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask why a job is not running, or how it ended
         * @description The reasons come from a few bounded queries, whatever the number of jobs.
         */
        get: operations["qforge_jobs_why"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/bulk/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue many jobs, all or none
         * @description Answers 200 when every idempotency key had its job already.
         */
        post: operations["qforge_jobs_enqueue_bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what has changed since a cursor
         * @description The answer has ids and flags; read what you show of them. An event that is committed late
         *     comes in a later answer; none is skipped. `If-None-Match` is answered with 304 while all is
         *     as it was.
         */
        get: operations["qforge_live_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live/stream/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear what has changed since a cursor as it happens, as server-sent events
         * @description Each event's `data` is a document like that of `/api/live/`, its `id` the cursor. It ends
         *     after ten minutes with an event `bye`: connect again. Only where the server speaks ASGI;
         *     others would give a whole worker to each stream.
         */
        get: operations["qforge_live_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at who you are here and what you may do */
        get: operations["qforge_me_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List operations on many jobs, the newest first */
        get: operations["qforge_operations_list"];
        put?: never;
        /**
         * Act on many jobs: those of a filter, or those named by id
         * @description It is carried out in batches by a job of its own; look at the operation to see how far it
         *     is. Jobs that arrive later are left alone, and so are those whose status has changed since,
         *     except by a cancel. With `dry_run` it answers 200 with how many jobs it would be for. Needs
         *     the permission for the action as well.
         */
        post: operations["qforge_operations_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operation_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at an operation and how far it is */
        get: operations["qforge_operations_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operation_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop an operation after the batch it is at; what it has done stays done */
        post: operations["qforge_operations_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operation_id}/items/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs that an operation left as they were, and why
         * @description Those it changed say so in their events.
         */
        get: operations["qforge_operations_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the queues, with how much waits in each and since when, and how fast each is
         * @description Counts are bounded: one that is not exact says that there are at least as many.
         */
        get: operations["qforge_queues_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/{name}/pause/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a queue: its jobs wait, those that run go on */
        post: operations["qforge_queues_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/{name}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a paused queue go on; one that is not paused stays as it is */
        post: operations["qforge_queues_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List schedules, those declared in code among them */
        get: operations["qforge_schedules_list"];
        put?: never;
        /** Make a schedule. It fires from now on */
        post: operations["qforge_schedules_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a schedule */
        get: operations["qforge_schedules_get"];
        put?: never;
        post?: never;
        /** Delete a schedule; its jobs stay. Answers 409 for one that is declared in code */
        delete: operations["qforge_schedules_delete"];
        options?: never;
        head?: never;
        /**
         * Change a schedule; new times count from now, so that no change fires a burst
         * @description Answers 409 for one that is declared in code.
         */
        patch: operations["qforge_schedules_change"];
        trace?: never;
    };
    "/api/schedules/{schedule_id}/disable/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a schedule from firing; its open jobs go on */
        post: operations["qforge_schedules_disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}/enable/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a schedule fire, from now on. Answers 422 when its definition is broken */
        post: operations["qforge_schedules_enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}/next/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the next fire times, of a disabled schedule as if it were enabled now */
        get: operations["qforge_schedules_next"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}/run-now/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue a job of the schedule at once; its fire times stay as they are
         * @description Answers 409 when overlap is `skip` and the previous job has not ended.
         */
        post: operations["qforge_schedules_run_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/preview/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the fire times that a schedule with these times would have */
        get: operations["qforge_schedules_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at all jobs in numbers: how many, how fast, how late
         * @description Counts are bounded, and so is the time this takes, whatever the number of jobs.
         */
        get: operations["qforge_stats_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/tasks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tasks whose attempts took longest, in whole hours */
        get: operations["qforge_stats_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/timeseries/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at how it went over time: what came in and how it ended, and how long it took
         * @description The series come from sums that a worker keeps; `complete_at` says how fresh they are.
         */
        get: operations["qforge_stats_timeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tasks this process knows, with the parameters of their handlers */
        get: operations["qforge_tasks_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the pools of workers, as they last told of themselves */
        get: operations["qforge_workers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workflows, the newest first, without their steps */
        get: operations["qforge_workflows_list"];
        put?: never;
        /**
         * Submit a workflow: named steps, each with the steps it depends on
         * @description The whole graph is checked before anything is written. Answers 200 with the workflow there
         *     is when the idempotency key has one already, and 422 when that one was asked for in other
         *     words.
         */
        post: operations["qforge_workflows_submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a workflow: steps, edges, progress, timing and critical path */
        get: operations["qforge_workflows_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel what waits at once and ask what runs to stop */
        post: operations["qforge_workflows_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List everything that happened to the steps of a workflow */
        get: operations["qforge_workflows_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/gantt/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what the steps did when: for each the stretches it waited and ran, by its events */
        get: operations["qforge_workflows_gantt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/graph/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workflow as nodes and edges: whole while it is small enough, or around a step */
        get: operations["qforge_workflows_graph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/rerun/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the steps of a workflow once more, as a new workflow
         * @description With `from_steps` only these and what is below them run again, and the results of the other
         *     steps are kept; a step that has no result to keep runs again as well.
         */
        post: operations["qforge_workflows_rerun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/retry/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again every step that ended without success, and what depends on it */
        post: operations["qforge_workflows_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/steps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the steps of a workflow */
        get: operations["qforge_workflows_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/{workflow_id}/summary/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look at a workflow without its steps */
        get: operations["qforge_workflows_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say that the process is alive. Asks nobody else */
        get: operations["qforge_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say that the database can be reached and has the tables; 503 otherwise */
        get: operations["qforge_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        PatchedQForgeFailurePatch: {
            /** @description With the status `ignored`: open it again after so many more failures. */
            ignore_for?: number | null;
            note?: string;
            status?: components["schemas"]["QForgeErrorGroupStatus"];
        };
        PatchedQForgeSchedulePatch: {
            /** @description Five fields or a word such as `@hourly`; either this or `interval_seconds`. */
            cron?: string | null;
            interval_seconds?: number | null;
            /** @description What becomes of fire times during a downtime: none, the last or all gets a job. */
            missed?: components["schemas"]["QForgeMissed"];
            /** @description The most jobs enqueued at once, when `missed` is `all`. */
            missed_limit?: number;
            name?: string;
            /** @description What becomes of a fire time while the previous job has not ended. */
            overlap?: components["schemas"]["QForgeOverlap"];
            /** @description Keyword arguments of the handler, checked against it. */
            payload?: {
                [key: string]: unknown;
            };
            priority?: number | null;
            /** @description The task's own by default. */
            queue?: string | null;
            /** @description Name of a registered task. */
            task?: string;
            /** @description IANA name; the project's by default. */
            timezone?: string | null;
        };
        QForgeAuditEntry: {
            /** @description Kind of the target and verb, like `queue.pause`. */
            action: string;
            actor: string;
            /** @description What is different since. */
            after: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            at: string;
            /** @description What was different before; null when it was not there. */
            before: {
                [key: string]: unknown;
            } | null;
            id: number;
            reason: string;
            /** @description As the header X-Request-ID had it. */
            request_id: string;
            /** @description Name or id of what was changed. */
            target: string;
            via: components["schemas"]["QForgeAuditVia"];
        };
        QForgeAuditPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeAuditEntry"][];
        };
        /** @enum {string} */
        QForgeAuditVia: "api" | "cli" | "admin";
        QForgeBoundedCount: {
            count: number;
            /** @description False: counting stopped there, or an estimate. */
            exact: boolean;
        };
        /** @enum {string} */
        QForgeBulkAction: "retry" | "cancel" | "run-now" | "delete";
        QForgeBulkAnswer: {
            /** @description In the order of the request. */
            results: components["schemas"]["QForgeEnqueued"][];
        };
        QForgeBulkRequest: {
            /** @description All are enqueued or none. */
            jobs: components["schemas"]["QForgeJobRequest"][];
        };
        QForgeCountSeries: {
            cancelled: (number | null)[];
            enqueued: (number | null)[];
            failed: (number | null)[];
            retrying: (number | null)[];
            succeeded: (number | null)[];
        };
        /** @enum {string} */
        QForgeDeclaredIn: "database" | "code";
        QForgeDryRun: {
            /** @description Jobs it would be for. */
            count: number;
            /** @description False: there are at least so many. */
            exact: boolean;
            /** @description The first of them. */
            sample: components["schemas"]["QForgeSampleJob"][];
        };
        QForgeEdge: {
            /** @description Waits for the parent. */
            child: string;
            parent: string;
        };
        QForgeEnqueued: {
            /** @description False: its key had this job already. */
            created: boolean;
            id: number;
            status: components["schemas"]["QForgeJobStatus"];
        };
        /** @enum {string} */
        QForgeErrorGroupStatus: "open" | "ignored" | "resolved";
        QForgeEvent: {
            /** Format: date-time */
            at: string;
            attempt: number;
            data: unknown;
            /** @description Null: it was new. */
            from_status: components["schemas"]["QForgeJobStatus"] | null;
            id: number;
            job: number;
            kind: components["schemas"]["QForgeEventKind"];
            to_status: components["schemas"]["QForgeJobStatus"];
            worker: string;
        };
        /** @enum {string} */
        QForgeEventKind: "enqueued" | "unblocked" | "promoted" | "claimed" | "succeeded" | "failed" | "rescued" | "released" | "cancelled" | "retried" | "cancel_requested" | "lease_lost";
        QForgeEventPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeEvent"][];
        };
        QForgeFailure: {
            /** Format: date-time */
            changed_at: string | null;
            /** @description Who last decided; empty when nobody has. */
            changed_by: string;
            /** @description What most payloads of its latest jobs have in common. */
            common_values: components["schemas"]["QForgeSharedValue"][];
            /** @description `module:function` of the application; empty when there is none. */
            culprit: string;
            /** @description Qualified name of the class. */
            exception: string;
            /** @description Jobs that failed for good, up to 1,000. */
            failed: components["schemas"]["QForgeBoundedCount"];
            /** @description What failures have in common; names the group. */
            fingerprint: string;
            /** @description Empty when the setting RELEASE was. */
            first_release: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description Failed attempts in each of the last 24 hours, the running one last. */
            hours: number[];
            /**
             * Format: date-time
             * @description The beginning of the first of them.
             */
            hours_begin_at: string;
            /** @description An ignored group opens at so many; null is never. */
            ignore_until_count: number | null;
            /** @description First seen in the release that runs here. */
            is_new: boolean;
            last_release: string;
            /** Format: date-time */
            last_seen_at: string;
            /** @description Of the latest failure; empty for whoever may not see payloads. */
            message: string;
            note: string;
            /** @description Failed attempts in all. */
            occurrences: number;
            /** @description False: samples and common values need the permission to see payloads. */
            payload_visible: boolean;
            /** @description That of the latest failure. */
            queue: string;
            /**
             * Format: date-time
             * @description When it opened again by itself, while nobody has decided anew.
             */
            reopened_at: string | null;
            /** @description Jobs that failed so and will be tried again. */
            retrying: components["schemas"]["QForgeBoundedCount"];
            /** @description A few of its jobs, the latest first. */
            samples: components["schemas"]["QForgeFailureSample"][];
            status: components["schemas"]["QForgeErrorGroupStatus"];
            task: string;
        };
        QForgeFailurePage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeFailureRow"][];
        };
        QForgeFailureRow: {
            /** Format: date-time */
            changed_at: string | null;
            /** @description Who last decided; empty when nobody has. */
            changed_by: string;
            /** @description `module:function` of the application; empty when there is none. */
            culprit: string;
            /** @description Qualified name of the class. */
            exception: string;
            /** @description Jobs that failed for good, up to 1,000. */
            failed: components["schemas"]["QForgeBoundedCount"];
            /** @description What failures have in common; names the group. */
            fingerprint: string;
            /** @description Empty when the setting RELEASE was. */
            first_release: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description Failed attempts in each of the last 24 hours, the running one last. */
            hours: number[];
            /**
             * Format: date-time
             * @description The beginning of the first of them.
             */
            hours_begin_at: string;
            /** @description An ignored group opens at so many; null is never. */
            ignore_until_count: number | null;
            /** @description First seen in the release that runs here. */
            is_new: boolean;
            last_release: string;
            /** Format: date-time */
            last_seen_at: string;
            /** @description Of the latest failure; empty for whoever may not see payloads. */
            message: string;
            note: string;
            /** @description Failed attempts in all. */
            occurrences: number;
            /** @description That of the latest failure. */
            queue: string;
            /**
             * Format: date-time
             * @description When it opened again by itself, while nobody has decided anew.
             */
            reopened_at: string | null;
            /** @description Jobs that failed so and will be tried again. */
            retrying: components["schemas"]["QForgeBoundedCount"];
            status: components["schemas"]["QForgeErrorGroupStatus"];
            task: string;
        };
        QForgeFailureSample: {
            job: number;
            /** @description Null when it is too long to be shown here. */
            payload: unknown;
            /** @description Its length as JSON text. */
            payload_chars: number;
            status: components["schemas"]["QForgeJobStatus"];
        };
        QForgeFeed: {
            /** @description Give it back as `after` to read on. */
            cursor: string;
            /** @description Further events are waiting already. */
            more: boolean;
            results: components["schemas"]["QForgeFeedEvent"][];
        };
        QForgeFeedEvent: {
            /** Format: date-time */
            at: string;
            attempt: number;
            data: unknown;
            /** @description Null: it was new. */
            from_status: components["schemas"]["QForgeJobStatus"] | null;
            id: number;
            job: number;
            kind: components["schemas"]["QForgeEventKind"];
            queue: string;
            task: string;
            to_status: components["schemas"]["QForgeJobStatus"];
            worker: string;
            /** @description The workflow its job is a step of. */
            workflow: number | null;
        };
        QForgeFieldError: {
            /** @description A stable word for programs. */
            code: string;
            detail: string;
            /** @description Path of the value, like `jobs[3].payload.a`. */
            field: string;
        };
        QForgeFinishedCounts: {
            cancelled: components["schemas"]["QForgeBoundedCount"];
            failed: components["schemas"]["QForgeBoundedCount"];
            succeeded: components["schemas"]["QForgeBoundedCount"];
        };
        QForgeGantt: {
            critical_path: number[];
            /** @description Null: these were the last. */
            next_offset: number | null;
            /**
             * Format: date-time
             * @description By the database's clock.
             */
            now: string;
            /** @description In the order in which they started. */
            results: components["schemas"]["QForgeGanttRow"][];
            /** @description How many the workflow has. */
            steps: number;
        };
        QForgeGanttRow: {
            attempts: number;
            /** Format: date-time */
            finished_at: string | null;
            job: number;
            /** @description The latest 100, in their order. */
            spans: components["schemas"]["QForgeSpan"][];
            spans_left_out: number;
            status: components["schemas"]["QForgeJobStatus"];
            step: string;
            task: string;
        };
        QForgeGraphNode: {
            attempts: number;
            /** Format: date-time */
            available_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Id of the job that the step is. */
            job: number;
            max_attempts: number;
            on_failure: components["schemas"]["QForgeOnFailure"];
            /**
             * Format: double
             * @description Progress of a running step, as its handler last said.
             */
            percent: number | null;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["QForgeJobStatus"];
            step: string;
            task: string;
            /** @description How many parents have yet to end. */
            waits_for: number;
        };
        QForgeHealth: {
            status: string;
        };
        /** @enum {string} */
        QForgeItemOutcome: "skipped" | "failed";
        QForgeJob: {
            /** @description What may be asked of the job in this status. */
            allowed_actions: components["schemas"]["QForgeJobAction"][];
            /** @description Positional arguments of the handler. */
            args: unknown;
            /** @description Tries so far, the running one included. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due, or the last one was.
             */
            available_at: string;
            /** Format: date-time */
            cancel_requested_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Of the latest failed attempt; empty without one. */
            error: string;
            /** @description The group of failures the latest attempt belongs to; empty when none. */
            error_fingerprint: string;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            idempotency_key: string | null;
            lease: components["schemas"]["QForgeLease"] | null;
            /** @description Tries in all. */
            max_attempts: number;
            /** @description Keyword arguments of the handler. */
            payload: unknown;
            /** @description Higher first. */
            priority: number;
            /** @description `{percent, message}` as the handler last said. */
            progress: unknown;
            queue: string;
            queue_paused: boolean;
            /** @description What the handler returned. */
            result: unknown;
            /**
             * Format: date-time
             * @description Start of the latest attempt.
             */
            started_at: string | null;
            status: components["schemas"]["QForgeJobStatus"];
            /** @description Empty when it is none. */
            step: string;
            task: string;
            /** @description This process knows the task. */
            task_registered: boolean;
            /** Format: double */
            timeout_seconds: number | null;
            /** @description The workflow it is a step of. */
            workflow: number | null;
        };
        /** @enum {string} */
        QForgeJobAction: "cancel" | "retry" | "run-now";
        QForgeJobPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeJobRow"][];
        };
        QForgeJobRequest: {
            /** @description Positional arguments of the handler; rarely needed. */
            args?: unknown[];
            /**
             * Format: date-time
             * @description Not before this time, with its offset from UTC; not beside delay_seconds.
             */
            available_at?: string | null;
            /**
             * Format: double
             * @description Not before this time from now.
             */
            delay_seconds?: number | null;
            /** @description A second request with it gives the same job, for as long as that is kept. */
            idempotency_key?: string | null;
            /** @description Tries in all. */
            max_attempts?: number | null;
            /** @description Keyword arguments of the handler, checked against it. */
            payload?: {
                [key: string]: unknown;
            };
            /** @description Higher first; the task's own by default. */
            priority?: number | null;
            /** @description The task's own by default. */
            queue?: string | null;
            /** @description Name of a registered task. */
            task: string;
            /**
             * Format: double
             * @description Deadline of an attempt from its start.
             */
            timeout_seconds?: number | null;
        };
        QForgeJobRow: {
            /** @description What may be asked of the job in this status. */
            allowed_actions: components["schemas"]["QForgeJobAction"][];
            /** @description Tries so far, the running one included. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due, or the last one was.
             */
            available_at: string;
            /** Format: date-time */
            cancel_requested_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The group of failures the latest attempt belongs to; empty when none. */
            error_fingerprint: string;
            /** @description The last line of the latest error. */
            error_preview: string;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            idempotency_key: string | null;
            /** @description Tries in all. */
            max_attempts: number;
            /** @description The beginning of the payload as JSON text. */
            payload_preview: string;
            /** @description Higher first. */
            priority: number;
            /** @description `{percent, message}` as the handler last said. */
            progress: unknown;
            queue: string;
            /**
             * Format: date-time
             * @description Start of the latest attempt.
             */
            started_at: string | null;
            status: components["schemas"]["QForgeJobStatus"];
            /** @description Empty when it is none. */
            step: string;
            task: string;
            /** @description Who runs it; empty when nobody does. */
            worker: string;
            /** @description The workflow it is a step of. */
            workflow: number | null;
        };
        /** @enum {string} */
        QForgeJobStatus: "blocked" | "scheduled" | "queued" | "running" | "succeeded" | "failed" | "cancelled";
        QForgeLastJob: {
            id: number;
            /** @description Null: pruned since. */
            status: components["schemas"]["QForgeJobStatus"] | null;
        };
        QForgeLatency: {
            /** @description The latest succeeded jobs it is taken from. */
            jobs: number;
            /** @description Seconds from started to finished. */
            run: components["schemas"]["QForgePercentiles"];
            /** @description Seconds from due to started; empty without jobs. */
            wait: components["schemas"]["QForgePercentiles"];
        };
        QForgeLease: {
            /**
             * Format: date-time
             * @description Renewed while the worker lives.
             */
            expires_at: string;
            worker: string;
        };
        QForgeLive: {
            changed: components["schemas"]["QForgeLiveChanges"];
            /** @description Give it back to hear what changes from here on. */
            cursor: string;
            /** @description When to ask again, at the earliest. */
            next_poll_ms: number;
            /** @description More has changed than is listed: read anew whatever you show. */
            overflow: boolean;
            /** Format: date-time */
            server_time: string;
            /** @description Null when `topics` leaves it out. */
            stats: components["schemas"]["QForgeStats"] | null;
            /**
             * Format: date-time
             * @description When the numbers were counted, by the database's clock.
             */
            stats_at: string;
        };
        QForgeLiveChanges: {
            /** @description A job has failed, or is no longer failed. */
            failures: boolean;
            /** @description At most 200; with more the answer is an overflow. */
            jobs: number[];
            /** @description What waits in a queue, or its controls. */
            queues: boolean;
            schedules: boolean;
            workers: boolean;
            /** @description At most 200; with more the answer is an overflow. */
            workflows: number[];
        };
        QForgeMe: {
            /** @description What the user may do, but for `read_only`. */
            permissions: components["schemas"]["QForgePermissions"];
            /** @description Nothing may be changed here by anybody. */
            read_only: boolean;
            /** @description Null without a login. */
            user: string | null;
        };
        /** @enum {string} */
        QForgeMissed: "skip" | "last" | "all";
        /** @enum {string} */
        QForgeOnFailure: "cancel" | "continue";
        QForgeOpenCounts: {
            blocked: components["schemas"]["QForgeBoundedCount"];
            queued: components["schemas"]["QForgeBoundedCount"];
            running: components["schemas"]["QForgeBoundedCount"];
            scheduled: components["schemas"]["QForgeBoundedCount"];
        };
        QForgeOperation: {
            action: components["schemas"]["QForgeBulkAction"];
            actor: string;
            allowed_actions: components["schemas"]["QForgeOperationAction"][];
            /** @description Steps of workflows that changed along with those done. */
            also_changed: number;
            cancel_reason: string;
            /** @description Who stopped it; empty when nobody did. */
            cancelled_by: string;
            /** Format: date-time */
            created_at: string;
            done: number;
            /** @description Why it failed; empty otherwise. */
            error: string;
            failed: number;
            /** @description Null when jobs were named by id. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            /** @description Jobs that matched when it started; null before. */
            matched: number | null;
            /** @description How many were named by id. */
            named: number | null;
            /** Format: double */
            rate_per_second: number | null;
            reason: string;
            /** @description The job that carries it out. */
            runner_job: components["schemas"]["QForgeRunnerJob"] | null;
            skipped: number;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["QForgeOperationStatus"];
        };
        /** @enum {string} */
        QForgeOperationAction: "cancel";
        QForgeOperationItem: {
            job: number;
            outcome: components["schemas"]["QForgeItemOutcome"];
            reason: string;
        };
        QForgeOperationItemPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeOperationItem"][];
        };
        QForgeOperationPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeOperation"][];
        };
        QForgeOperationRequest: {
            action: components["schemas"]["QForgeBulkAction"];
            /** @description Must be true where the filter is empty, which means every job. */
            all?: boolean;
            /** @description Only count, and show some. */
            dry_run?: boolean;
            /** @description Refuse with 409 when it would be for more jobs than these. */
            expected_count?: number | null;
            /** @description The conditions of the list of jobs by name; `status` may be a list. */
            filter?: {
                [key: string]: unknown;
            } | null;
            idempotency_key?: string | null;
            /** @description Or the jobs themselves. */
            ids?: number[] | null;
            /**
             * Format: double
             * @description As fast as it goes by default.
             */
            rate_per_second?: number | null;
            reason?: string | null;
        };
        /** @enum {string} */
        QForgeOperationStatus: "pending" | "running" | "succeeded" | "cancelled" | "failed";
        /** @enum {string} */
        QForgeOverlap: "allow" | "skip";
        /** @enum {string} */
        QForgeParameterKind: "positional_only" | "positional_or_keyword" | "var_positional" | "keyword_only" | "var_keyword";
        QForgePercentiles: {
            /** Format: double */
            p50?: number;
            /** Format: double */
            p95?: number;
            /** Format: double */
            p99?: number;
        };
        QForgePercentileSeries: {
            p50: (number | null)[];
            p95: (number | null)[];
            p99: (number | null)[];
        };
        QForgePermissions: {
            bulk_operate: boolean;
            cancel_job: boolean;
            change_errorgroup: boolean;
            change_job: boolean;
            control_worker: boolean;
            delete_job: boolean;
            enqueue_job: boolean;
            export_job: boolean;
            manage_schedule: boolean;
            manage_workflow: boolean;
            pause_queue: boolean;
            retry_job: boolean;
            view_audit: boolean;
            view_errorgroup: boolean;
            view_job: boolean;
            view_payload: boolean;
            view_queue: boolean;
            view_schedule: boolean;
            view_workerpool: boolean;
            view_workflow: boolean;
        };
        QForgePreview: {
            /** @description The times in words. */
            description: string;
            results: components["schemas"]["QForgeRun"][];
            timezone: string;
        };
        QForgeProblem: {
            /** @description With `illegal-transition` only. */
            allowed_actions?: components["schemas"]["QForgeJobAction"][];
            /** @description A stable word for programs. */
            code: string;
            /** @description With `illegal-transition` and `workflow-conflict`. */
            current_status?: components["schemas"]["QForgeJobStatus"];
            detail: string;
            errors?: components["schemas"]["QForgeFieldError"][];
            /** @description With `idempotency-conflict`: the job that has the key. */
            job?: number;
            /** @description With `permission-denied`: what the user would need. */
            required_permission?: string;
            status: number;
            title: string;
            /** @description A URN that ends in the code. */
            type: string;
            /** @description With `idempotency-conflict`: the workflow that has the key. */
            workflow?: number;
        };
        QForgeQueue: {
            jobs: components["schemas"]["QForgeOpenCounts"];
            name: string;
            /**
             * Format: double
             * @description How long the longest waiting queued job has been due.
             */
            oldest_queued_seconds: number | null;
            pause_reason: string;
            /** Format: date-time */
            paused_at: string | null;
            paused_by: string;
            rates: components["schemas"]["QForgeQueueRates"];
        };
        QForgeQueueControl: {
            name: string;
            pause_reason: string;
            /** Format: date-time */
            paused_at: string | null;
            paused_by: string;
        };
        QForgeQueueList: {
            results: components["schemas"]["QForgeQueue"][];
        };
        QForgeQueueRates: {
            /** @description Jobs that ended, in each of the last 24 quarters of an hour. */
            finished: number[];
            /**
             * Format: double
             * @description Jobs asked for, over five minutes.
             */
            in_per_minute: number;
            /**
             * Format: double
             * @description Jobs that ended, over five minutes.
             */
            out_per_minute: number;
            /**
             * Format: double
             * @description Failed attempts that are repeated.
             */
            retrying_per_minute: number;
            /**
             * Format: double
             * @description Estimated, over a quarter of an hour; null without attempts.
             */
            wait_p95_seconds: number | null;
        };
        QForgeReason: {
            /** @description A stable word for programs. */
            code: components["schemas"]["QForgeWhyCode"];
            /** @description What the sentence is made of. */
            facts: {
                [key: string]: unknown;
            };
            /** @description A sentence for people. */
            summary: string;
        };
        QForgeReasonRequest: {
            reason?: string | null;
        };
        QForgeRerunRequest: {
            /** @description Run these and what is below them, and keep the results of the others. Without it everything runs again. */
            from_steps?: string[] | null;
            idempotency_key?: string | null;
            reason?: string | null;
        };
        QForgeRun: {
            /** Format: date-time */
            at: string;
            /** @description The same moment on the clocks of the zone. */
            local: string;
        };
        QForgeRunList: {
            results: components["schemas"]["QForgeRun"][];
        };
        QForgeRunnerJob: {
            id: number;
            /** @description Null: it was pruned. */
            status: components["schemas"]["QForgeJobStatus"] | null;
        };
        QForgeSampleJob: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            queue: string;
            status: components["schemas"]["QForgeJobStatus"];
            task: string;
        };
        QForgeSchedule: {
            allowed_actions: components["schemas"]["QForgeScheduleAction"][];
            /** Format: date-time */
            created_at: string;
            cron: string | null;
            declared_in: components["schemas"]["QForgeDeclaredIn"];
            /** @description The times in words; empty for a broken expression. */
            description: string;
            disabled_reason: string;
            enabled: boolean;
            id: number;
            interval_seconds: number | null;
            last_job: components["schemas"]["QForgeLastJob"] | null;
            /**
             * Format: date-time
             * @description The last fire time that got a job.
             */
            last_run_at: string | null;
            last_skip_reason: string;
            /** Format: date-time */
            last_skipped_at: string | null;
            missed: components["schemas"]["QForgeMissed"];
            missed_limit: number;
            name: string;
            /** Format: date-time */
            next_run_at: string | null;
            overlap: components["schemas"]["QForgeOverlap"];
            /** @description Keyword arguments of the handler. */
            payload: unknown;
            /** @description Null: the task's own. */
            priority: number | null;
            /** @description Null: the task's own. */
            queue: string | null;
            task: string;
            /** @description This process knows the task. */
            task_registered: boolean;
            /** @description IANA name. */
            timezone: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        QForgeScheduleAction: "enable" | "disable" | "run-now" | "edit" | "delete";
        QForgeSchedulePage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeScheduleRow"][];
        };
        QForgeScheduleRequest: {
            /** @description Five fields or a word such as `@hourly`; either this or `interval_seconds`. */
            cron?: string | null;
            /** @description True by default. */
            enabled?: boolean;
            interval_seconds?: number | null;
            /** @description What becomes of fire times during a downtime: none, the last or all gets a job. */
            missed?: components["schemas"]["QForgeMissed"];
            /** @description The most jobs enqueued at once, when `missed` is `all`. */
            missed_limit?: number;
            name: string;
            /** @description What becomes of a fire time while the previous job has not ended. */
            overlap?: components["schemas"]["QForgeOverlap"];
            /** @description Keyword arguments of the handler, checked against it. */
            payload?: {
                [key: string]: unknown;
            };
            priority?: number | null;
            /** @description The task's own by default. */
            queue?: string | null;
            /** @description Name of a registered task. */
            task: string;
            /** @description IANA name; the project's by default. */
            timezone?: string | null;
        };
        QForgeScheduleRow: {
            allowed_actions: components["schemas"]["QForgeScheduleAction"][];
            /** Format: date-time */
            created_at: string;
            cron: string | null;
            declared_in: components["schemas"]["QForgeDeclaredIn"];
            /** @description The times in words; empty for a broken expression. */
            description: string;
            disabled_reason: string;
            enabled: boolean;
            id: number;
            interval_seconds: number | null;
            last_job: components["schemas"]["QForgeLastJob"] | null;
            /**
             * Format: date-time
             * @description The last fire time that got a job.
             */
            last_run_at: string | null;
            last_skip_reason: string;
            /** Format: date-time */
            last_skipped_at: string | null;
            missed: components["schemas"]["QForgeMissed"];
            missed_limit: number;
            name: string;
            /** Format: date-time */
            next_run_at: string | null;
            overlap: components["schemas"]["QForgeOverlap"];
            /** @description The beginning of the payload as JSON text. */
            payload_preview: string;
            /** @description Null: the task's own. */
            priority: number | null;
            /** @description Null: the task's own. */
            queue: string | null;
            task: string;
            /** @description This process knows the task. */
            task_registered: boolean;
            /** @description IANA name. */
            timezone: string;
            /** Format: date-time */
            updated_at: string;
        };
        QForgeSharedValue: {
            /** @description Payloads that have it. */
            jobs: number;
            /** @description Payloads looked at. */
            of: number;
            /** @description Where in the payload, keys joined by dots. */
            path: string;
            /** @description Text is cut at 200 characters. */
            value: unknown;
        };
        /** @description A stretch of a step's life in one status. */
        QForgeSpan: {
            attempt: number;
            /** @description Of a run: the status after it. */
            ended_as: components["schemas"]["QForgeJobStatus"] | null;
            /** @description Of a run: what ended it. */
            ended_by: components["schemas"]["QForgeEventKind"] | null;
            /** Format: date-time */
            from: string;
            /** @description Waits to be tried again. */
            retry: boolean;
            status: components["schemas"]["QForgeJobStatus"];
            /**
             * Format: date-time
             * @description Null: it goes on.
             */
            to: string | null;
            /** @description Empty when it did not run. */
            worker: string;
        };
        QForgeStats: {
            finished: components["schemas"]["QForgeThroughput"];
            jobs: components["schemas"]["QForgeStatusCounts"];
            latency_seconds: components["schemas"]["QForgeLatency"];
            /** Format: double */
            oldest_queued_seconds: number | null;
            /** @description Running jobs whose lease has run out and that nobody has rescued. */
            stalled: components["schemas"]["QForgeBoundedCount"];
        };
        QForgeStatusCounts: {
            blocked: components["schemas"]["QForgeBoundedCount"];
            cancelled: components["schemas"]["QForgeBoundedCount"];
            failed: components["schemas"]["QForgeBoundedCount"];
            queued: components["schemas"]["QForgeBoundedCount"];
            running: components["schemas"]["QForgeBoundedCount"];
            scheduled: components["schemas"]["QForgeBoundedCount"];
            succeeded: components["schemas"]["QForgeBoundedCount"];
        };
        QForgeStep: {
            /** @description What the status of the job allows; the rest of the workflow may not. */
            allowed_actions: components["schemas"]["QForgeJobAction"][];
            /** @description The step that added this one while it ran. */
            appended_by: string | null;
            attempts: number;
            /** Format: date-time */
            available_at: string;
            /** Format: date-time */
            cancel_requested_at: string | null;
            depends_on: string[];
            /** @description The last line of the latest error. */
            error_preview: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Id of the job that the step is. */
            job: number;
            max_attempts: number;
            on_failure: components["schemas"]["QForgeOnFailure"];
            queue: string;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["QForgeJobStatus"];
            step: string;
            task: string;
            /** @description How many of those have yet to end. */
            waits_for: number;
        };
        /** @description How many steps are in each status. */
        QForgeStepCounts: {
            blocked: number;
            cancelled: number;
            failed: number;
            queued: number;
            running: number;
            scheduled: number;
            succeeded: number;
        };
        QForgeStepEvent: {
            /** Format: date-time */
            at: string;
            attempt: number;
            data: unknown;
            /** @description Null: it was new. */
            from_status: components["schemas"]["QForgeJobStatus"] | null;
            id: number;
            job: number;
            kind: components["schemas"]["QForgeEventKind"];
            step: string;
            to_status: components["schemas"]["QForgeJobStatus"];
            worker: string;
        };
        QForgeStepEventPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeStepEvent"][];
        };
        QForgeStepPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeStepRow"][];
        };
        QForgeStepRequest: {
            /**
             * Format: date-time
             * @description Not before this time, with its offset from UTC; not beside delay_seconds.
             */
            available_at?: string | null;
            /** @description Names of the steps that must end first. */
            depends_on?: string[];
            /** @description Tries in all. */
            max_attempts?: number | null;
            /** @description When it ends without success: `cancel` what is below it, which is the default, or `continue`. */
            on_failure?: components["schemas"]["QForgeOnFailure"] | null;
            /** @description May refer to results of parents: `{"$result": "build", "path": "file.url"}`. */
            payload?: {
                [key: string]: unknown;
            } | null;
            /** @description Higher first; the task's own by default. */
            priority?: number | null;
            /** @description The task's own by default. */
            queue?: string | null;
            /** @description Its name in the workflow. */
            step: string;
            /** @description Name of a registered task. */
            task: string;
            /**
             * Format: double
             * @description Deadline of an attempt from its start.
             */
            timeout_seconds?: number | null;
        };
        QForgeStepRow: {
            /** @description What the status of the job allows; the rest of the workflow may not. */
            allowed_actions: components["schemas"]["QForgeJobAction"][];
            attempts: number;
            /** Format: date-time */
            available_at: string;
            /** @description The last line of the latest error. */
            error_preview: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description Id of the job that the step is. */
            job: number;
            max_attempts: number;
            on_failure: components["schemas"]["QForgeOnFailure"];
            queue: string;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["QForgeJobStatus"];
            step: string;
            task: string;
            /** @description How many parents have yet to end. */
            waits_for: number;
            /** @description The first of those, for a step that is blocked. */
            waits_on: string | null;
        };
        QForgeTask: {
            doc: string;
            max_attempts: number;
            name: string;
            parameters: components["schemas"]["QForgeTaskParameter"][];
            priority: number;
            queue: string;
            /** Format: double */
            timeout_seconds: number | null;
        };
        QForgeTaskList: {
            results: components["schemas"]["QForgeTask"][];
        };
        QForgeTaskParameter: {
            /** @description As written; empty without one. */
            annotation: string;
            /** @description Null also when there is none or it is not JSON. */
            default: unknown;
            /** @description The default as Python; empty without one. */
            default_text: string;
            kind: components["schemas"]["QForgeParameterKind"];
            name: string;
            required: boolean;
        };
        QForgeTaskTimes: {
            attempts: number;
            /** @description Attempts that failed. */
            failed: number;
            /** Format: double */
            longest_seconds: number;
            /** Format: double */
            mean_seconds: number;
            /** @description Estimated. */
            run_seconds: components["schemas"]["QForgePercentiles"];
            task: string;
        };
        QForgeTaskTimesList: {
            results: components["schemas"]["QForgeTaskTimes"][];
        };
        QForgeThroughput: {
            last_hour: components["schemas"]["QForgeFinishedCounts"];
            last_minute: components["schemas"]["QForgeFinishedCounts"];
        };
        QForgeTimeseries: {
            /**
             * Format: date-time
             * @description Up to when all events are in it; null before any is.
             */
            complete_at: string | null;
            /** @description Events in each step; null where none is known. */
            counts: components["schemas"]["QForgeCountSeries"];
            /** @description Seconds an attempt took, estimated. */
            run: components["schemas"]["QForgePercentileSeries"];
            /**
             * Format: date-time
             * @description Of the first step; the last one is that of this moment.
             */
            start: string;
            step_seconds: number;
            /** @description Seconds from due to started, estimated. */
            wait: components["schemas"]["QForgePercentileSeries"];
        };
        QForgeWhy: {
            /**
             * Format: date-time
             * @description When this was so, by the database's clock.
             */
            at: string;
            job: number;
            /** @description The most important first; never empty. */
            reasons: components["schemas"]["QForgeReason"][];
            status: components["schemas"]["QForgeJobStatus"];
        };
        /** @enum {string} */
        QForgeWhyCode: "queue-paused" | "no-live-worker" | "task-not-registered" | "waiting-for-steps" | "available-later" | "next-try-later" | "given-back" | "jobs-ahead" | "next-in-line" | "running" | "cancel-requested" | "lease-expired" | "succeeded" | "attempts-spent" | "permanent-error" | "cancelled";
        QForgeWorker: {
            /** @description Threads that run a job. */
            busy: number;
            /** Format: double */
            heartbeat_age_seconds: number;
            host: string;
            /** @description Not heard of for longer than a lease. */
            lost: boolean;
            name: string;
            pid: number;
            /** @description Empty: all of them. */
            queues: string[];
            /** Format: date-time */
            started_at: string;
            stopping: boolean;
            threads: number;
            version: string;
        };
        QForgeWorkerList: {
            results: components["schemas"]["QForgeWorker"][];
        };
        QForgeWorkflow: {
            /** @description What may be asked of it now. */
            allowed_actions: components["schemas"]["QForgeWorkflowAction"][];
            /** Format: date-time */
            cancel_requested_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The failed step that is first by name; null without one. */
            failed_step: string | null;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            idempotency_key: string | null;
            name: string;
            progress: components["schemas"]["QForgeWorkflowProgress"];
            /** @description The workflow this one repeats, which may be gone. */
            rerun_of: number | null;
            /**
             * Format: double
             * @description From the submission to the end, or until now.
             */
            seconds: number;
            status: components["schemas"]["QForgeWorkflowStatus"];
        };
        /** @enum {string} */
        QForgeWorkflowAction: "cancel" | "retry" | "rerun";
        QForgeWorkflowDetail: {
            /** @description What may be asked of it now. */
            allowed_actions: components["schemas"]["QForgeWorkflowAction"][];
            /** Format: date-time */
            cancel_requested_at: string | null;
            counts: components["schemas"]["QForgeStepCounts"];
            /** Format: date-time */
            created_at: string;
            /** @description The steps whose ends made it take so long, so far, in their order. */
            critical_path: string[];
            edges: components["schemas"]["QForgeEdge"][];
            /** @description The failed step that is first by name; null without one. */
            failed_step: string | null;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            idempotency_key: string | null;
            name: string;
            progress: components["schemas"]["QForgeWorkflowProgress"];
            /** @description The workflow this one repeats, which may be gone. */
            rerun_of: number | null;
            /**
             * Format: double
             * @description From the submission to the end, or until now.
             */
            seconds: number;
            /**
             * Format: date-time
             * @description When the first step did.
             */
            started_at: string | null;
            status: components["schemas"]["QForgeWorkflowStatus"];
            steps: components["schemas"]["QForgeStep"][];
        };
        QForgeWorkflowGraph: {
            /** @description All of them are here. One with more than 2,000 steps or 10,000 edges has no nodes, unless one step is asked for. */
            complete: boolean;
            /** @description Jobs of the steps whose ends made it take so long, so far, in their order. */
            critical_path: number[];
            /** @description Pairs of jobs. */
            edges: number[][];
            nodes: components["schemas"]["QForgeGraphNode"][];
            /** @description How many the workflow has. */
            steps: number;
        };
        QForgeWorkflowPage: {
            /** @description URL of the next page. */
            next: string | null;
            /** @description URL of the previous page. */
            previous: string | null;
            results: components["schemas"]["QForgeWorkflow"][];
        };
        QForgeWorkflowProgress: {
            cancelled: number;
            failed: number;
            /** @description Not ended yet. */
            open: number;
            /** @description Of those, how many are on a worker. */
            running: number;
            /** @description All of them. */
            steps: number;
            succeeded: number;
        };
        QForgeWorkflowRequest: {
            /** @description A second request with it gives the same workflow, for as long as that is kept. */
            idempotency_key?: string | null;
            name: string;
            /** @description All are inserted or none. */
            steps: components["schemas"]["QForgeStepRequest"][];
        };
        /** @enum {string} */
        QForgeWorkflowStatus: "running" | "succeeded" | "failed" | "cancelled";
        QForgeWorkflowSummary: {
            /** @description What may be asked of it now. */
            allowed_actions: components["schemas"]["QForgeWorkflowAction"][];
            /** Format: date-time */
            cancel_requested_at: string | null;
            counts: components["schemas"]["QForgeStepCounts"];
            /** Format: date-time */
            created_at: string;
            /** @description The failed step that is first by name; null without one. */
            failed_step: string | null;
            /** Format: date-time */
            finished_at: string | null;
            id: number;
            idempotency_key: string | null;
            name: string;
            progress: components["schemas"]["QForgeWorkflowProgress"];
            /** @description The workflow this one repeats, which may be gone. */
            rerun_of: number | null;
            /**
             * Format: double
             * @description From the submission to the end, or until now.
             */
            seconds: number;
            /**
             * Format: date-time
             * @description When the first step did.
             */
            started_at: string | null;
            status: components["schemas"]["QForgeWorkflowStatus"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    qforge_audit_list: {
        parameters: {
            query?: {
                /** @description Exactly this action, like `queue.pause`. */
                action?: string;
                /** @description Exactly this name. */
                actor?: string;
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description The newest first by default. */
                ordering?: "-id" | "id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Then or later. */
                since?: string;
                /** @description Exactly this name or id. */
                target?: string;
                /** @description Earlier than this. */
                until?: string;
                /** @description Any of these. */
                via?: components["schemas"]["QForgeAuditVia"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeAuditPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_events_feed: {
        parameters: {
            query?: {
                /** @description `cursor` of the last answer; `start` begins with the oldest event there is. Without it the answer has no events, only the cursor of this moment. */
                after?: string;
                /** @description Most events in the answer, 100 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeFeed"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_failures_list: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description The latest seen first by default. */
                ordering?: "-last_seen_at" | "last_seen_at";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Exactly this fingerprint, or this exception with or without its module. */
                q?: string;
                /** @description Exactly this queue, as that of the latest failure. */
                queue?: string;
                /** @description Any of these. */
                status?: components["schemas"]["QForgeErrorGroupStatus"][];
                /** @description Exactly this task. */
                task?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeFailurePage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_failures_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeFailure"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_failures_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedQForgeFailurePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeFailure"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_list: {
        parameters: {
            query?: {
                /** @description Then or later. */
                created_after?: string;
                /** @description Earlier than this. */
                created_before?: string;
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description Jobs whose latest failure belongs to this group. */
                error_fingerprint?: string;
                /** @description Then or later. */
                finished_after?: string;
                /** @description Earlier than this. */
                finished_before?: string;
                /** @description `finished_at` lists finished jobs only, `available_at` scheduled ones, and `-priority` queued ones in the order in which they will be claimed. */
                ordering?: "-id" | "id" | "-finished_at" | "finished_at" | "-priority" | "priority" | "available_at" | "-available_at";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Exactly this priority. */
                priority?: number;
                /** @description Text within the task or the error, upper and lower case alike. */
                q?: string;
                /** @description Exactly this queue. */
                queue?: string;
                /** @description Any of these. */
                status?: components["schemas"]["QForgeJobStatus"][];
                /** @description Exactly this task. */
                task?: string;
                /** @description Steps of this workflow. */
                workflow?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJobPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_enqueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description As the field idempotency_key, plain or quoted. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QForgeJobRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_events: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description The oldest first by default. */
                ordering?: "id" | "-id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
            };
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeEventPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_run_now: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeJob"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_why: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWhy"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_jobs_enqueue_bulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QForgeBulkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeBulkAnswer"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeBulkAnswer"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_live_get: {
        parameters: {
            query?: {
                /** @description `cursor` of the last answer. Without it the answer says only what is true now. */
                cursor?: string;
                /** @description What to tell of, with commas between: stats, jobs, workflows, workflow:ID. All of it by default; the flags come always. */
                topics?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeLive"];
                };
            };
            /** @description No response body */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_live_stream: {
        parameters: {
            query?: {
                /** @description `cursor` of the last answer. Without it the answer says only what is true now. */
                cursor?: string;
                /** @description What to tell of, with commas between: stats, jobs, workflows, workflow:ID. All of it by default; the flags come always. */
                topics?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeLive"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The server cannot hold a stream open. */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_me_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeMe"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_operations_list: {
        parameters: {
            query?: {
                /** @description Any of these. */
                action?: components["schemas"]["QForgeBulkAction"][];
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description The newest first by default. */
                ordering?: "-id" | "id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Any of these. */
                status?: components["schemas"]["QForgeOperationStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeOperationPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_operations_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description As the field idempotency_key, plain or quoted. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QForgeOperationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeDryRun"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeOperation"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_operations_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeOperation"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_operations_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeOperation"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_operations_items: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description By the id of the job. */
                ordering?: "id" | "-id";
                /** @description Only these. */
                outcome?: components["schemas"]["QForgeItemOutcome"];
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
            };
            header?: never;
            path: {
                operation_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeOperationItemPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_queues_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeQueueList"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_queues_pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeQueueControl"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_queues_resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeQueueControl"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_list: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description Only these. */
                enabled?: "true" | "false";
                /** @description The oldest first by default. */
                ordering?: "id" | "-id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Exactly this task. */
                task?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedulePage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QForgeScheduleRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedule"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedule"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedQForgeSchedulePatch"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedule"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_disable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedule"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_enable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeSchedule"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_next: {
        parameters: {
            query?: {
                /** @description How many, 5 by default. */
                count?: number;
            };
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeRunList"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_run_now: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeEnqueued"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_schedules_preview: {
        parameters: {
            query?: {
                /** @description How many, 5 by default. */
                count?: number;
                /** @description Five fields or a word; either this or interval_seconds. */
                cron?: string;
                /** @description Seconds between two. */
                interval_seconds?: number;
                /** @description IANA name; the project's by default. */
                timezone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgePreview"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_stats_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeStats"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_stats_tasks: {
        parameters: {
            query?: {
                /** @description Most tasks in the answer, 5 by default. */
                limit?: number;
                /** @description How far back, 1h by default. */
                range?: "1h" | "6h" | "24h" | "7d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeTaskTimesList"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_stats_timeseries: {
        parameters: {
            query?: {
                /** @description Of this queue alone. */
                queue?: string;
                /** @description How far back, 1h by default. */
                range?: "1h" | "6h" | "24h" | "7d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeTimeseries"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_tasks_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeTaskList"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workers_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkerList"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_list: {
        parameters: {
            query?: {
                /** @description Then or later. */
                created_after?: string;
                /** @description Earlier than this. */
                created_before?: string;
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description Exactly this name. */
                name?: string;
                /** @description The newest first by default. */
                ordering?: "-id" | "id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Any of these. */
                status?: components["schemas"]["QForgeWorkflowStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflowPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_submit: {
        parameters: {
            query?: never;
            header?: {
                /** @description As the field idempotency_key, plain or quoted. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QForgeWorkflowRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflowDetail"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_events: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description Any of these. */
                kind?: components["schemas"]["QForgeEventKind"][];
                /** @description The newest first by default. */
                ordering?: "-id" | "id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
            };
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeStepEventPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_gantt: {
        parameters: {
            query?: {
                /** @description Most steps in the answer, 200 by default. */
                limit?: number;
                /** @description Steps to pass over. */
                offset?: number;
            };
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeGantt"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_graph: {
        parameters: {
            query?: {
                /** @description Only this step and those up to two edges away. */
                around?: string;
            };
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflowGraph"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_rerun: {
        parameters: {
            query?: never;
            header?: {
                /** @description As the field idempotency_key, plain or quoted. */
                "Idempotency-Key"?: string;
            };
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeRerunRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QForgeReasonRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflow"];
                };
            };
            /** @description The body is not JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The job's status does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The body is not declared as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_steps: {
        parameters: {
            query?: {
                /** @description Where the page begins; taken from `next` or `previous`. */
                cursor?: string;
                /** @description As they were submitted by default. */
                ordering?: "id" | "-id";
                /** @description Rows in a page, 50 by default. */
                page_size?: number;
                /** @description Text within the name or the task, upper and lower case alike. */
                q?: string;
                /** @description Any of these. */
                status?: components["schemas"]["QForgeJobStatus"][];
            };
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeStepPage"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_workflows_summary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflow_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeWorkflowSummary"];
                };
            };
            /** @description Not logged in, or not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description There is no such job. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description A value is wrong; `errors` says which and why. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
    qforge_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeHealth"];
                };
            };
        };
    };
    qforge_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QForgeHealth"];
                };
            };
            /** @description The database cannot be reached, or took too long. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["QForgeProblem"];
                };
            };
        };
    };
}
