// The real thing for the browser tests: Django under uvicorn, and real workers, on the database of
// DATABASE_URL.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PYTHON = process.env.PYTHON ?? `${ROOT}.venv/bin/python`;
const ENVIRONMENT = {
  ...process.env,
  DEBUG: '1',
  ALLOWED_HOSTS: '127.0.0.1,localhost',
  QFORGE_ENVIRONMENT_NAME: 'demo',
};

export function manage(...command) {
  const done = spawnSync(PYTHON, ['manage.py', ...command], {
    cwd: ROOT,
    env: ENVIRONMENT,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`manage.py ${command[0]} failed:\n${done.stderr}`);
  return done.stdout;
}

function start(args, environment = {}) {
  return spawn(PYTHON, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'ignore', process.env.E2E_VERBOSE ? 'inherit' : 'ignore'],
  });
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Waits until `condition` gives something true, and gives that; throws after `seconds`. */
export async function until(what, condition, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function serve(port, environment = {}, prefix = '') {
  const args = ['-m', 'uvicorn', 'config.asgi:application', '--host', '127.0.0.1'];
  const child = start([...args, '--port', `${port}`, '--lifespan', 'off'], environment);
  const url = `http://127.0.0.1:${port}`;
  await until('the web server answers', () =>
    fetch(`${url}${prefix}/healthz/`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { child, url };
}

export function work() {
  return start(['manage.py', 'run_job_workers', '--threads', '4']);
}

/** The API as a script uses it. */
export function apiOf(url) {
  const ask = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    enqueue: (task, payload = {}, options = {}) =>
      ask('POST', '/api/jobs/', { task, payload, ...options }),
  };
}
