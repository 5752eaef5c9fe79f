import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cloneRepository, commit } from '../rehearse/clone.ts';
import { cleanUp, run } from '../rehearse/workplace.ts';

// Checks that a new connector needs only one folder of JSON files. The commands in CONTRIBUTING generate all other
// files, and all checks and tests pass without further changes.

const ID = 'tickets';
// Id of the sample connector whose files this check copies. The tests of the service use it as a private connector.
const NEWCOMER = 'issues';
const FOLDER = `packages/server/test/support/newcomer/${NEWCOMER}`;
/**
 * Expected output of `git status` after adding a connector: the files that the author writes, and those that the
 * commands write.
 */
const EXPECTED = [
  ' M pnpm-lock.yaml',
  `?? .changeset/catalog-${ID}.md`,
  `?? packages/connectors/${ID}/`,
  `?? schemas/${ID}/`,
];
const PACKAGES = ['catalog', 'codegen', 'core', 'testing', 'agents', 'sandbox', 'server', 'dashboard', ID];

const clone = await cloneRepository();
const inClone = async (title: string, command: string, ...args: string[]): Promise<void> => {
  const started = performance.now();
  await run(command, args, {
    cwd: clone,
    env: { SVC_TEST_FULL: undefined },
    timeout: 1_800_000,
  });
  console.log(`${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
};

function addConnector(folder: string): void {
  for (const file of globSync('**/*.json', { cwd: FOLDER })) {
    const text = readFileSync(path.join(FOLDER, file), 'utf8')
      .replace(`"id": "${NEWCOMER}"`, `"id": "${ID}"`)
      .replaceAll(`${NEWCOMER}_`, `${ID}_`);
    const target = path.join(folder, file.replace(`${NEWCOMER}_`, `${ID}_`));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

try {
  addConnector(path.join(clone, 'schemas', ID));
  await inClone('npm run generate', 'npm', 'run', 'generate');
  await inClone('npm run catalog:changeset', 'npm', 'run', 'catalog:changeset');
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' });
  const touched = stdout.split('\n').filter((line) => line !== '');
  if (touched.join('\n') !== EXPECTED.join('\n'))
    throw new Error(
      `A new connector changed unexpected files. Only these may change: ${EXPECTED.join(', ')}. Found:\n${stdout}`,
    );
  await commit(clone, 'Add a connector');
  await inClone('npm run check', 'npm', 'run', 'check');
  const filters = PACKAGES.map((name) => `--filter=@svc/${name}`);
  await inClone('Tests', 'turbo', '--skip-infer', 'run', 'test', 'test:ci', '--concurrency=1', ...filters);
} finally {
  cleanUp();
}
