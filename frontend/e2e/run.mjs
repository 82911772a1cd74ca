// Starts the stack, runs the tests against it and takes it down again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { freePort, manage, serve, stop, work } from './stack.mjs';

if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is not set; use e2e/run.sh.');

const folder = new URL('.', import.meta.url).pathname;
const wanted = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  .sort()
  .map((name) => `${folder}${name}`);

manage('migrate');
const web = await serve(await freePort());
const workers = work();
let code = 1;
try {
  const options = ['--test', '--test-concurrency=1', '--test-reporter=spec'];
  const tests = spawn(process.execPath, [...options, ...files], {
    env: { ...process.env, E2E_URL: web.url },
    stdio: 'inherit',
  });
  [code] = await once(tests, 'exit');
} finally {
  await Promise.all([stop(workers), stop(web.child)]);
}
process.exit(code ?? 1);
