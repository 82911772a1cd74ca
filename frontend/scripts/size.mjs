// Fails when a built file is larger, compressed, than its budget.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const folder = new URL('../../jobs/static/qforge/', import.meta.url);
const budgets = { 'app.js': 260, 'app.css': 15, 'theme.js': 1 };
let over = false;
for (const [name, budget] of Object.entries(budgets)) {
  const size = gzipSync(await readFile(new URL(name, folder)), { level: 9 }).length / 1024;
  const good = size <= budget;
  console.log(`${good ? 'ok  ' : 'OVER'} ${name} ${size.toFixed(1)} of ${budget} KB gzip`);
  over ||= !good;
}
process.exit(over ? 1 : 0);
