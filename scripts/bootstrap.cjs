// Runs an npm command of a fresh clone: installs dependencies and builds outdated packages, then starts the command.
// Plain CommonJS, because the script must run on Node.js 18 and later without any installed package.
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.dirname(__dirname);
const BIN = path.join(ROOT, 'node_modules', '.bin');
// Folder of the maintenance tools. The tools are dependencies of scripts/, so that no package build depends on them.
const TOOLS = path.join(ROOT, 'scripts', 'node_modules', '.bin');
const STAMP = path.join(ROOT, 'node_modules', '.installed');
const NPM_CI = 'ci --prefix=scripts/pnpm --ignore-scripts --no-audit --no-fund --loglevel=error'.split(' ');
const PNPM = 'scripts/pnpm/node_modules/pnpm/bin/pnpm.mjs';
const OLDEST_NODE = [22, 18];
const WINDOWS = process.platform === 'win32';

// Program that generates the connector packages, with its arguments. scripts/generate.ts generates the other files.
const GENERATE =
  'packages/codegen/dist/main.js --schemas schemas --out packages/connectors --handlers packages/server/src/generated/handlers.ts';
const FORMATTER = 'scripts/node_modules/@biomejs/biome/bin/biome';
const TASKS = {
  // The documented examples import @svc/agents.
  start: { needs: ['@svc/server...', '@svc/agents...'], runs: ['packages/server/dist/main.js', '--sandbox'] },
  svc: { needs: '@svc/server...', runs: ['packages/server/dist/main.js'] },
  pack: { needs: '*', runs: ['scripts/pack.ts'] },
  demo: { needs: '*', runs: ['scripts/demo.ts'] },
  test: { needs: '*', runs: ['scripts/test.ts'] },
  'test:ci': { needs: '*', runs: ['scripts/test.ts', '--ci'] },
  'test:full': { needs: '*', runs: ['scripts/test.ts', '--full'] },
  'test:mutants': { needs: '*', runs: ['scripts/mutants/mutants.ts'] },
  check: { needs: '*', runs: ['scripts/check.ts'] },
  format: { needs: undefined, runs: [FORMATTER, 'check', '--write', '--linter-enabled=false'] },
  bench: { needs: '@svc/server...', runs: ['packages/bench/src/main.ts'] },
  screenshots: { needs: '@svc/server...', runs: ['packages/dashboard/screenshots/main.ts'] },
  'catalog:diff': { needs: '@svc/codegen...', runs: ['packages/codegen/dist/main.js', 'diff'] },
  'catalog:changeset': { needs: '@svc/codegen...', runs: ['scripts/release/catalog-changeset.ts'] },
  changeset: { needs: undefined, runs: ['scripts/node_modules/@changesets/cli/bin.js'] },
  'release:version': { needs: '@svc/codegen...', runs: ['scripts/release/release-version.ts'] },
  'release:publish': { needs: '*', runs: ['scripts/release/release-publish.ts'] },
  'release:rehearse': { needs: '@svc/codegen...', runs: ['scripts/rehearse/main.ts'] },
  sbom: { needs: '@svc/codegen...', runs: ['scripts/release/write-sboms.ts'] },
  generate: { needs: '@svc/codegen...', runs: GENERATE.split(' ') },
};

const env = {
  ...process.env,
  PATH: [BIN, TOOLS, process.env.PATH].join(path.delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
};

const CORRECT = 'Correct the cause, then run the same command again.';

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

// Runs a program and waits for its end. `isQuiet`: the program's output is printed only when the program fails.
// `advice`: how the user can repair the failure.
function run(command, args, { step, isQuiet = false, advice = CORRECT }) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd: ROOT,
    env,
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['ignore', isQuiet ? 'pipe' : 2, 2],
    shell: WINDOWS,
  });
  if (error) fail(`${step} could not start. Check that ${command} is installed: ${error.message}`);
  if (status === 0) return;
  if (isQuiet) process.stderr.write(stdout);
  fail(`${step} failed. The lines above say why. ${advice}`);
}

function manifests() {
  const folders = ['packages', 'packages/connectors'].flatMap((parent) =>
    fs.readdirSync(path.join(ROOT, parent)).map((name) => path.join(parent, name)),
  );
  const files = ['.', 'scripts', ...folders].map((folder) => path.join(folder, 'package.json'));
  return [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...files.filter((file) => fs.existsSync(path.join(ROOT, file))),
  ];
}

function fingerprint() {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const file of manifests()) hash.update(file).update(fs.readFileSync(path.join(ROOT, file)));
  return hash.digest('hex');
}

// Verifies every dependency by hash (rule S1 in security-rules.md). npm verifies pnpm with
// scripts/pnpm/package-lock.json, and pnpm verifies all other packages with pnpm-lock.yaml.
function install() {
  const wanted = fingerprint();
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === wanted) return;
  process.stderr.write('Installing dependencies (again only when the lock file changes) …\n');
  run('npm', NPM_CI, { step: 'The installation of pnpm' });
  run(process.execPath, [PNPM, 'install', '--frozen-lockfile'], { step: 'The installation' });
  // Deletes vitest's cache of resolved imports, because a changed package.json may resolve an import to another file.
  fs.rmSync(path.join(ROOT, 'node_modules', '.vitest-cache'), { recursive: true, force: true });
  fs.writeFileSync(STAMP, wanted);
}

// Adds new connector packages to pnpm-lock.yaml. Works offline, because a connector package depends only on core.
function lockConnectors() {
  const lock = fs.readFileSync(path.join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  const locked = [...lock.matchAll(/^ {2}packages\/connectors\/([a-z0-9]+):$/gm)].map(([, id]) => id);
  const folders = fs.readdirSync(path.join(ROOT, 'packages', 'connectors'));
  const installed = folders.filter((id) =>
    fs.existsSync(path.join(ROOT, 'packages', 'connectors', id, 'package.json')),
  );
  if (locked.sort().join() === installed.sort().join()) return;
  run(process.execPath, [PNPM, 'install', '--lockfile-only', '--offline'], { step: 'Writing the lock file' });
  install();
}

// Returns the path of the Node.js that pnpm-lock.yaml pins. On platforms without a pinned Node.js, returns the caller's
// Node.js if it is new enough.
function findNode() {
  const bundled = path.join(BIN, 'node');
  if (!WINDOWS && fs.existsSync(bundled)) return bundled;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]))
    return process.execPath;
  return fail(
    `Node ${process.version} is too old. Install Node ${OLDEST_NODE.join('.')} or later for ${process.platform}-${process.arch}.`,
  );
}

function build(packages) {
  // `--skip-infer` stops turbo from searching for another turbo at the repository root, because turbo is installed in
  // scripts/.
  const filters = [packages].flat().map((name) => `--filter=${name}`);
  const args = ['--skip-infer', 'run', 'build', ...filters, '--output-logs=errors-only'];
  process.stderr.write('Building changed packages …\n');
  run(path.join(TOOLS, 'turbo'), args, { step: 'The build', isQuiet: true });
}

// Checks the layout of code and schemas before the builds, because it takes seconds and `npm run format` repairs it.
function checkLayout() {
  const args = [FORMATTER, 'format'];
  const advice = 'Run "npm run format", which repairs the layout, then run the same command again.';
  run(findNode(), args, { step: 'The check of the layout', isQuiet: true, advice });
}

// Replaces this script with a program. `after` runs when the program has succeeded.
function handOver(node, args, after) {
  const child = spawn(node, args, { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (code === 0 && after) return after();
    process.exit(signal ? 1 : code);
  });
}

// Generates the other files after the connector packages, because the types of operations come from the built service.
// Arguments other than `--check` are for svc-codegen, so it runs alone.
function generateOthers() {
  if (!rest.includes('--check')) lockConnectors();
  if (rest.some((argument) => argument !== '--check')) return;
  build('@svc/server...');
  handOver(findNode(), ['scripts/generate.ts', ...rest]);
}

const [task, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(TASKS, task ?? ''))
  fail(`Usage: node scripts/bootstrap.cjs ${Object.keys(TASKS).join('|')} [arguments]`);
install();
if (task === 'check' || task === 'test') checkLayout();
if (TASKS[task].needs !== undefined) build(TASKS[task].needs);
// The texts of the service contain this command, because a clone has no `svc-server` on the PATH.
if (task === 'start' || task === 'svc') env.SVC_COMMAND = 'npm run svc --';
handOver(findNode(), [...TASKS[task].runs, ...rest], task === 'generate' ? generateOthers : undefined);
