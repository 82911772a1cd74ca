import type { Boot } from '../boot';

export const BOOT: Boot = {
  base: '/base/',
  csrf: { header: 'X-CSRFTOKEN', token: 'token' },
  loginUrl: '/login/',
  user: 'ada',
  readOnly: false,
  permissions: {
    bulk_operate: true,
    cancel_job: true,
    change_errorgroup: true,
    change_job: true,
    control_worker: true,
    delete_job: true,
    enqueue_job: true,
    export_job: true,
    manage_schedule: true,
    manage_workflow: true,
    pause_queue: true,
    retry_job: true,
    view_audit: true,
    view_errorgroup: true,
    view_job: true,
    view_payload: true,
    view_queue: true,
    view_schedule: true,
    view_workerpool: true,
    view_workflow: true,
  },
  environment: '',
  live: { enabled: true, stream: false },
  versions: { qforge: '0.1.0' },
  settings: { LEASE_SECONDS: 30 },
};

/** Puts the JSON into the page that Django would have rendered. */
export function putBoot(): void {
  document.getElementById('qforge-boot')?.remove();
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'qforge-boot';
  script.textContent = JSON.stringify(BOOT);
  document.body.append(script);
}

/** Answers every request alike; returns the list of requests to come. */
export function respond(status: number, body: unknown): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.clone());
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' },
    });
  });
  return requests;
}
