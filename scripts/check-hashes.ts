import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// What turbo would run again after a change of each kind of file: all that depends on it, and nothing that does not.

const ROOT = path.dirname(import.meta.dirname);
const TASKS = ['build', 'typecheck', 'test'];

interface Kind {
  /** What is added to the end of the file, or put in the place of another text. */
  readonly file: string;
  readonly change?: readonly [from: string | RegExp, to: string];
  readonly runs: readonly string[];
  readonly spares: readonly string[];
}

const EVERYTHING = ['core#build', 'catalog#build', 'calendar#build', 'server#test', 'dashboard#build'];
const OTHER_VERSION = [/version: 0\.3\.25\n/g, 'version: 0.3.26\n'] as const;

const KINDS: readonly Kind[] = [
  {
    file: 'packages/core/src/call.ts',
    runs: ['core#build', 'core#test', 'calendar#build', 'calendar#typecheck', 'server#test', 'codegen#test'],
    spares: ['catalog#build', 'codegen#build', 'dashboard#build', 'sandbox#build'],
  },
  {
    file: 'packages/core/src/client.test.ts',
    runs: ['core#test', 'core#typecheck'],
    spares: ['core#build', 'calendar#build', 'server#build'],
  },
  {
    file: 'packages/core/test/types.test.ts',
    runs: ['core#test', 'core#typecheck'],
    spares: ['core#build', 'calendar#test'],
  },
  {
    file: 'packages/core/README.md',
    runs: ['core#test'],
    spares: ['core#build', 'core#typecheck', 'calendar#test'],
  },
  {
    file: 'packages/core/tsup.config.ts',
    runs: ['core#build', 'calendar#build'],
    spares: ['catalog#build', 'dashboard#build'],
  },
  { file: 'packages/core/tsconfig.build.json', runs: ['core#build'], spares: ['catalog#build'] },
  {
    file: 'packages/connectors/video/src/generated/connector.ts',
    runs: ['video#build', 'video#test', 'server#test', 'testing#test'],
    spares: ['calendar#build', 'core#build', 'catalog#build'],
  },
  {
    file: 'schemas/video/tools/video_search.json',
    // The rules of inputs are a part of core, which each connector stands on.
    runs: ['catalog#build', 'codegen#test', 'server#test', 'server#build', 'core#build'],
    spares: ['sandbox#build'],
  },
  {
    file: 'schemas/meta/tool.json',
    runs: ['catalog#build', 'server#test'],
    spares: ['sandbox#build'],
  },
  {
    file: 'schemas/released.json',
    runs: ['server#test', 'codegen#test'],
    spares: ['catalog#build', 'server#build', 'core#build'],
  },
  {
    file: 'packages/dashboard/src/assembly/app.tsx',
    runs: ['dashboard#build', 'dashboard#test', 'server#build', 'server#test'],
    spares: ['core#build', 'catalog#build', 'sandbox#build'],
  },
  {
    file: 'packages/dashboard/index.html',
    runs: ['dashboard#build', 'server#build'],
    spares: ['core#build'],
  },
  {
    file: 'packages/dashboard/build/compress-files.ts',
    runs: ['dashboard#build', 'server#build'],
    spares: ['core#build'],
  },
  {
    file: 'packages/server/build/lazy-undici.cjs',
    runs: ['server#build', 'server#test', 'dashboard#test'],
    spares: ['core#build', 'dashboard#build', 'catalog#build'],
  },
  {
    file: 'packages/server/src/assembly/app.ts',
    runs: ['server#build', 'server#test', 'server#typecheck', 'dashboard#test'],
    spares: ['core#build', 'dashboard#build', 'catalog#test'],
  },
  { file: 'packages/server/README.md', runs: ['server#test'], spares: ['server#build', 'server#typecheck'] },
  {
    file: 'packages/sandbox/src/main.ts',
    runs: ['sandbox#build', 'server#test'],
    spares: ['core#build', 'catalog#build'],
  },
  {
    file: 'packages/codegen/src/names.ts',
    runs: ['codegen#build', 'codegen#test', 'server#test'],
    spares: ['core#build', 'calendar#build', 'catalog#build'],
  },
  {
    file: 'packages/server/package.json',
    change: ['"version": "', '"version": "9'],
    runs: ['server#build', 'server#test'],
    spares: ['core#build'],
  },
  {
    file: 'packages/testing/README.md',
    runs: ['testing#test'],
    spares: ['testing#build', 'testing#typecheck', 'server#test'],
  },
  { file: 'tsconfig.base.json', runs: EVERYTHING, spares: [] },
  { file: 'pnpm-lock.yaml', change: OTHER_VERSION, runs: [], spares: EVERYTHING },
  {
    file: 'pnpm-lock.yaml',
    change: [/(?<=ky@|ky:\n {8}specifier: 2\.1\.0\n {8}version: )2\.1\.0/g, '2.1.1'],
    runs: ['core#build', 'calendar#build', 'server#test'],
    spares: ['catalog#build', 'dashboard#build', 'sandbox#build'],
  },
  {
    file: 'scripts/package.json',
    change: ['"publint": "0.3.25"', '"publint": "0.3.26"'],
    runs: [],
    spares: EVERYTHING,
  },
  { file: 'scripts/run.ts', runs: [], spares: EVERYTHING },
  {
    file: 'package.json',
    change: ['"scripts": {', '"scripts": { "more": "true",'],
    runs: [],
    spares: EVERYTHING,
  },
  { file: 'CONTRIBUTING.md', runs: [], spares: EVERYTHING },
  { file: '.changeset/first-release.md', runs: [], spares: EVERYTHING },
];

const copy = mkdtempSync(path.join(tmpdir(), 'svc-hashes-'));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** The hash of each task, by `<package>#<task>` without the scope. */
function readHashes(): ReadonlyMap<string, string> {
  const { tasks } = JSON.parse(run('turbo', ['run', ...TASKS, '--dry=json'], copy)) as {
    tasks: { taskId: string; hash: string; command: string }[];
  };
  return new Map(tasks.map(({ taskId, hash }) => [taskId.replace('@svc/', ''), hash]));
}

function prepare(): void {
  for (const file of run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], ROOT).split(
    '\0',
  )) {
    if (file === '') continue;
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    try {
      copyFileSync(path.join(ROOT, file), path.join(copy, file));
    } catch (error) {
      // A file that is deleted and not yet committed is still listed.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  writeFileSync(path.join(copy, 'schemas/released.json'), '{}');
  writeFileSync(path.join(copy, 'packages/core/src/client.test.ts'), '');
  run('git', ['init', '--quiet'], copy);
  run('git', ['add', '--all'], copy);
}

/** Changes the file, gives what would run, and takes the change back. */
function wouldRun({ file, change }: Kind, before: ReadonlyMap<string, string>): ReadonlySet<string> {
  const place = path.join(copy, file);
  const text = readFileSync(place, 'utf8');
  const changed = change === undefined ? `${text}\n` : text.replace(change[0], change[1]);
  assert.notEqual(changed, text, `${file} has nothing to change`);
  writeFileSync(place, changed);
  const after = readHashes();
  writeFileSync(place, text);
  return new Set([...after].filter(([task, hash]) => before.get(task) !== hash).map(([task]) => task));
}

try {
  prepare();
  const before = readHashes();
  for (const kind of KINDS) {
    const ran = wouldRun(kind, before);
    const known = [...kind.runs, ...kind.spares].filter((task) => !before.has(task));
    assert.deepEqual(known, [], `${kind.file}: there are no such tasks`);
    const stale = kind.runs.filter((task) => !ran.has(task));
    const needless = kind.spares.filter((task) => ran.has(task));
    assert.deepEqual(stale, [], `${kind.file}: these would be stale`);
    assert.deepEqual(needless, [], `${kind.file}: these would run for nothing`);
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(
  `After a change of each of ${KINDS.length} kinds what depends on it runs again, and nothing else`,
);
