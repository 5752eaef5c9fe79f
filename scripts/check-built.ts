import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

// A start asks the builder again as soon as a file of any kind that a build reads or writes is another one, and only then.

interface Built {
  buildStale(options: { root: string; stampFile: string; what: string; build: () => void }): boolean;
}
const { buildStale } = createRequire(import.meta.url)('./built.cjs') as Built;

const READ_OR_WRITTEN = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
  'turbo.json',
  'packages/server/src/main.ts',
  'packages/server/src/deep/er/file.ts',
  'packages/server/build/compile.ts',
  'packages/server/package.json',
  'packages/server/tsconfig.build.json',
  'packages/server/tsup.config.ts',
  'packages/server/dist/main.js',
  'packages/connectors/video/src/generated/tool.ts',
  'packages/connectors/video/dist/index.js',
  'packages/catalog/schemas/video/connector.json',
  'schemas/video/connector.json',
  'schemas/video/tools/list.json',
  'scripts/built.cjs',
];
const OF_NO_BUILD = [
  'packages/server/src/main.test.ts',
  'packages/server/test/service.ts',
  'packages/server/node_modules/x/index.js',
  'packages/server/tested-rules.json',
];
const NEW = ['packages/server/src/new.ts', 'schemas/video/tools/new.json', 'packages/server/dist/new.js'];

const root = mkdtempSync(path.join(tmpdir(), 'svc-built-'));
const stampFile = path.join(root, 'stamp');
const problems: string[] = [];

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

/** As an editor or a tool would that hides what it did: the same length, and the times as they were. */
function writeHidden(file: string, text: string): void {
  const { atime, mtime } = statSync(path.join(root, file));
  write(file, text);
  utimesSync(path.join(root, file), atime, mtime);
}

const build = (during = () => {}, what = 'all') => buildStale({ root, stampFile, what, build: during });

function expect(title: string, isBuilt: boolean): void {
  const was = build();
  if (was !== isBuilt) problems.push(`${title}: ${was ? 'was built' : 'was not built'}`);
  if (build()) problems.push(`${title}: was built twice`);
}

for (const file of [...READ_OR_WRITTEN, ...OF_NO_BUILD]) write(file, 'one');
expect('what was never built', true);
for (const file of READ_OR_WRITTEN) {
  writeHidden(file, 'two');
  expect(`${file} with another text`, true);
}
for (const file of READ_OR_WRITTEN.slice(1)) {
  rmSync(path.join(root, file));
  expect(`${file} removed`, true);
  write(file, 'two');
  expect(`${file} back again`, true);
}
for (const file of NEW) {
  write(file, 'new');
  expect(`${file} added`, true);
}
for (const file of OF_NO_BUILD) {
  write(file, 'other');
  expect(`${file} with another text`, false);
}
write('packages/server/src/main.ts', 'three');
build(() => write('packages/server/src/main.ts', 'four'));
expect('what was changed while it was built', true);
build(undefined, 'another part');
expect('what another build may have written', true);
try {
  write('turbo.json', 'five');
  build(() => {
    throw new Error('broken');
  });
} catch {
  expect('what could not be built', true);
}

rmSync(root, { recursive: true });
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log('A build is asked for when a file of it has changed, and only then');
process.exitCode = problems.length === 0 ? 0 : 1;
