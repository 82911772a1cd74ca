// Writes src/api/schema.d.ts from the OpenAPI document; with --check only says whether it is current.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const source = new URL('../../docs/openapi.yaml', import.meta.url);
const target = new URL('../src/api/schema.d.ts', import.meta.url);
const header = '// Generated from docs/openapi.yaml by `npm run types`. Not edited by hand.\n';
const fresh = header + astToString(await openapiTS(source, { alphabetize: true }));

if (process.argv.includes('--check')) {
  const committed = await readFile(target, 'utf8').catch(() => '');
  if (committed !== fresh) {
    console.error('src/api/schema.d.ts is not what docs/openapi.yaml gives. Run: npm run types');
    process.exit(1);
  }
} else {
  await writeFile(target, fresh);
}
