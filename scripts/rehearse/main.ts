import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cloneRepository } from './clone.ts';
import { useFrameworks } from './frameworks.ts';
import { checkInstallSize } from './install-size.ts';
import { installAlone, installTogether, managersOf } from './installs.ts';
import { overrideDependencies } from './overrides.ts';
import { runInChromium } from './page.ts';
import { usePrivateCatalogue } from './private-catalogue.ts';
import { compileProgram, createProject, type ProgramContext, runBy, runInWorkerd } from './programs.ts';
import { type Registry, startRegistry } from './registry.ts';
import { changeAfterRelease, readManifest, release } from './releases.ts';
import { startPublishedService } from './service.ts';
import { stopBySignal } from './signals.ts';
import { bringTools } from './tools.ts';
import { cleanUp } from './workplace.ts';

const HELP = `npm run release:rehearse: makes two releases into a local registry, and uses the packages as users do

The rehearsal publishes nothing and changes no file of this repository. It works in a clone, and deletes its folders
at the end. It skips parts whose tools this machine or its registry lacks, and names them. It takes about ten minutes.

  --keep   keep the folders, to inspect failures
  --help   print this text

Exit codes: 0 if every part succeeded or was skipped, 1 if a part failed, 2 for wrong arguments.`;

interface Part {
  readonly title: string;
  readonly result: string;
  readonly seconds: number;
}
const parts: Part[] = [];

/**
 * Runs a part of the release rehearsal and prints its result. Rethrows a failure, so that dependent parts do not run.
 */
async function part<Result>(
  title: string,
  run: () => Promise<Result>,
  summarize: (result: Result) => string,
): Promise<Result> {
  process.stdout.write(`${title} … `);
  const started = performance.now();
  try {
    const result = await run();
    const summary = summarize(result);
    parts.push({ title, result: summary, seconds: (performance.now() - started) / 1000 });
    console.log(`${summary} (${parts.at(-1)?.seconds.toFixed(1)} s)`);
    return result;
  } catch (error) {
    parts.push({ title, result: 'failed', seconds: (performance.now() - started) / 1000 });
    console.log('failed');
    throw error;
  }
}

/** Runs a part of the release rehearsal on which no other part depends. If it fails, the next parts still run. */
async function step(title: string, run: () => Promise<string>): Promise<void> {
  await part(title, run, (result) => result).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

const versionList = (versions: Readonly<Record<string, string>>): string =>
  Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');

/**
 * Checks the package.json of each package in the local registry: the repository, and version ranges that fit together.
 */
async function checkManifests(registry: Registry): Promise<string> {
  const calendar = await readManifest(registry, '@svc/calendar');
  const server = await readManifest(registry, '@svc/server');
  assert.equal(calendar.repository?.url, 'git+https://forge.example.com/rehearsal/svc.git');
  assert.equal(calendar.repository?.directory, 'packages/connectors/calendar');
  assert.match(calendar.dependencies?.['@svc/core'] ?? '', /^\^1\./);
  assert.match(server.peerDependencies?.['@svc/sandbox'] ?? '', /^\^1\./);
  return 'the URL of the sources, and matching ranges';
}

/** Runs the program of the project on each runtime that the packages support. */
async function runEverywhere(context: ProgramContext): Promise<void> {
  const { tools } = context;
  await step('Runs on Node 22', () => runBy(tools.node22, [], context));
  await step(`Runs on Node ${process.versions.node}`, () => runBy(process.execPath, [], context));
  await step('Runs on Bun', () => runBy(tools.bun, ['run'], context));
  await step('Runs on Deno', () =>
    runBy(
      tools.deno,
      ['run', '--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual'],
      context,
    ),
  );
  await step('Runs on workerd', () => runInWorkerd(context));
  await step('Runs in Chromium', () => runInChromium(context));
}

const partsOf = (version = ''): readonly number[] => version.split('.').map(Number);

function nextMinor(version: string | undefined): string {
  const [major = 0, minor = 0] = partsOf(version);
  return `${major}.${minor + 1}.0`;
}

function nextPatch(version: string | undefined): string {
  const [major = 0, minor = 0, patch = 0] = partsOf(version);
  return `${major}.${minor}.${patch + 1}`;
}

async function rehearse(): Promise<void> {
  const tools = await part('Tools', bringTools, ({ folder }) => path.basename(folder));
  const registry = await part(
    'Registry',
    () => startRegistry(tools),
    ({ url }) => url,
  );
  const clone = await part('Clone, installed', cloneRepository, (folder) => path.basename(folder));
  const releasing = { clone, registry };
  const first = await part('First release', () => release(releasing), versionList);
  await part(
    'Changes, and the results of the check',
    () => changeAfterRelease(releasing),
    () => 'refused and accepted correctly',
  );
  await part(
    'Second release',
    () => release(releasing),
    (versions) => {
      const expected = {
        '@svc/core': nextPatch(first['@svc/core']),
        '@svc/calendar': nextMinor(first['@svc/calendar']),
        '@svc/video': first['@svc/video'],
        '@svc/catalog': nextMinor(first['@svc/catalog']),
        '@svc/server': nextMinor(first['@svc/server']),
      };
      for (const [name, version] of Object.entries(expected))
        assert.equal(versions[name], version, versionList(versions));
      return versionList(versions);
    },
  );
  await step('Manifests', () => checkManifests(registry));
  const ids = readdirSync(path.join(clone, 'packages/connectors')).sort();
  for (const manager of managersOf(tools))
    await step(`Installed by ${manager.name}`, () => installAlone(manager, { ids, registry }));
  await step('New calendar with old video', () => installTogether(tools, registry, first));
  await step('A package of a private catalogue', () => usePrivateCatalogue(tools, registry));
  await step('Overridden dependencies of the service', () => overrideDependencies(tools, registry));
  await step('Install size of the service', () => checkInstallSize(tools, registry));
  await step('Stops on SIGTERM', () => stopBySignal(tools, registry));
  const project = await part(
    'A project with all connectors',
    () => createProject(tools, { ids, registry }),
    ({ folder }) => path.basename(folder),
  );
  for (const version of ['5.9', '6', '7'])
    for (const resolution of ['nodenext', 'bundler'] as const)
      await step(`TypeScript ${version}, ${resolution}`, () =>
        compileProgram(tools, project, { version, resolution }),
      );
  await step('Frameworks and CommonJS', () => useFrameworks(tools, registry));
  const service = await part(
    'The service with its sandbox',
    () => startPublishedService(tools, registry),
    ({ environmentUrl }) => `ready on ${environmentUrl}`,
  );
  await runEverywhere({ tools, project, service });
}

function readOptions() {
  try {
    return parseArgs({
      options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    return process.exit(2);
  }
}

const { keep, help } = readOptions();
if (help) {
  console.log(HELP);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    cleanUp({ keep });
    process.exit(1);
  });
try {
  await rehearse();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  cleanUp({ keep });
}
const count = (kind: RegExp) => parts.filter(({ result }) => kind.test(result)).length;
const [failed, skipped] = [count(/^failed$/), count(/^skipped/)];
const seconds = parts.reduce((total, each) => total + each.seconds, 0);
console.log(
  `\n${parts.length - failed - skipped} parts succeeded, ${failed} failed, ${skipped} were skipped, in ${seconds.toFixed(0)} s`,
);
process.exit(process.exitCode ?? 0);
