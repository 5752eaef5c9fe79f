import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printEventTypes } from './generate/event-types.ts';
import { printLinearExpressions } from './generate/linear-expressions.ts';
import { printOperations } from './generate/operations.ts';

// Writes the generated files that svc-codegen does not write. `npm run generate` runs svc-codegen first. `--check`
// writes nothing, and lists outdated files.

const PRINTERS: Readonly<Record<string, () => string | Promise<string>>> = {
  'packages/core/src/generated/event-types.ts': printEventTypes,
  'packages/dashboard/src/generated/operations.ts': printOperations,
  'scripts/generate/linear-expressions.json': printLinearExpressions,
};

const isCheck = process.argv.includes('--check');
const outdated: string[] = [];
for (const [name, print] of Object.entries(PRINTERS)) {
  const file = path.join(import.meta.dirname, '..', name);
  const text = await print();
  if (readFileSync(file, 'utf8') === text) continue;
  if (!isCheck) writeFileSync(file, text);
  outdated.push(name);
}
for (const name of outdated) console.log(`${isCheck ? 'out of date' : 'written'}: ${name}`);
if (outdated.length === 0)
  console.log(`All ${Object.keys(PRINTERS).length} other generated files are up to date.`);
if (isCheck && outdated.length > 0) {
  console.error('Run `npm run generate`, then review the changed files.');
  process.exitCode = 1;
}
