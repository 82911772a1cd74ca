import type { Boot } from '../boot';

export const BOOT: Boot = {
  base: '/base/',
  csrf: { header: 'X-CSRFTOKEN', token: 'token' },
  loginUrl: '/login/',
  user: 'ada',
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
