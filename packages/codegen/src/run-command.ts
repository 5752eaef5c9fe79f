import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Catalog } from '@svc/catalog';
import { applyDrift, compareFiles, compareFolder, type Drift } from './compare-files.js';
import type { FileTexts } from './generate.js';
import { type CommandResult, HELP } from './help.js';
import { type LastRun, openLastRun } from './last-run.js';
import { newConnector } from './new-connector.js';
import { usageProblem } from './usage-problem.js';

/** Runs `svc-codegen`. Exit code 0: done; 1: outdated files or a broken catalogue; 2: wrong usage. */
export async function runCommand(args: readonly string[]): Promise<CommandResult> {
  const [command] = args;
  if (command === 'diff' || command === 'release') {
    const { runReleaseCommand } = await import('./release/release-command.js');
    return runReleaseCommand(command, args.slice(1));
  }
  const options = parseOptions(args);
  if (typeof options === 'string') return { lines: [options, '', HELP], exitCode: 2 };
  if (!SCOPE.test(options.scope)) return { lines: [scopeProblem(options.scope)], exitCode: 2 };
  if (options.newId !== undefined && !options.help)
    return await createConnector(options.newId, resolve(options.schemas));
  if (options.help) return { lines: [HELP], exitCode: 0 };
  const { schemas, out, scope, only, handlers } = options;
  const lastRun = openLastRun({ schemas: resolve(schemas), out: resolve(out), scope, only, handlers });
  const unchanged = lastRun.unchanged();
  if (unchanged !== undefined) return { lines: [upToDate(unchanged)], exitCode: 0 };
  return run(options, lastRun);
}

/** npm scopes that registries accept. */
const SCOPE = /^@[a-z0-9][a-z0-9._-]*$/;

const scopeProblem = (scope: string): string =>
  `"${scope}" is not an npm scope. Give --scope an @, then lowercase letters, digits, dots and dashes, such as @acme.`;

const upToDate = (total: number): string => `All ${total} files are up to date.`;

type Options = Exclude<ReturnType<typeof parseOptions>, string>;

function parseOptions(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      args: [...args],
      options: {
        schemas: { type: 'string', default: 'schemas' },
        out: { type: 'string', default: 'packages/connectors' },
        scope: { type: 'string', default: '@svc' },
        only: { type: 'string', multiple: true },
        handlers: { type: 'string' },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [word, newId, ...more] = positionals;
    if (word !== undefined && word !== 'new')
      return `Unknown arguments: ${positionals.join(' ')}. Use one of the commands below.`;
    if (word === 'new' && !values.help && (newId === undefined || more.length > 0))
      return 'The command "new" needs one connector id, as in "svc-codegen new parcels".';
    return { ...values, newId };
  } catch (error) {
    return usageProblem(error);
  }
}

async function createConnector(id: string, schemas: string): Promise<CommandResult> {
  const folder = join(schemas, id);
  if (!/^[a-z][a-z0-9]*$/.test(id))
    return {
      lines: [`"${id}" is not a connector id. Use lowercase letters and digits, beginning with a letter.`],
      exitCode: 2,
    };
  const { idProblem, loadCatalog } = await import('@svc/catalog');
  const problem = idProblem(id);
  if (problem !== undefined) return { lines: [problem], exitCode: 2 };
  if (existsSync(folder))
    return {
      lines: [`${folder} exists already, so nothing was written. Choose another id, or delete the folder.`],
      exitCode: 1,
    };
  if (loadCatalog().connectors.has(id))
    return { lines: [`"${id}" is the id of a built-in connector; choose another id`], exitCode: 2 };
  const files = newConnector(id);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  }
  return { lines: Object.keys(files).map((name) => `written: ${join(folder, name)}`), exitCode: 0 };
}

async function run(options: Options, lastRun: LastRun): Promise<CommandResult> {
  // Imports the catalogue only when files must be generated, because loading it takes time.
  const { CatalogError, loadCatalog } = await import('@svc/catalog');
  try {
    return await generateAll(loadCatalog({ builtIn: false, folders: [options.schemas] }), options, lastRun);
  } catch (error) {
    if (error instanceof CatalogError) return { lines: [error.message], exitCode: 1 };
    throw error;
  }
}

async function generateAll(
  catalog: Catalog,
  { schemas, out, scope, only, handlers, check }: Options,
  lastRun: LastRun,
): Promise<CommandResult> {
  const unknown = (only ?? []).filter((id) => !catalog.connectors.has(id));
  if (unknown.length > 0)
    return {
      lines: unknown.map(
        (id) => `The connector "${id}" does not exist in ${schemas}. Correct --only or --schemas.`,
      ),
      exitCode: 1,
    };
  const { generateParts } = await import('./generate.js');
  const parts = generateParts(catalog, {
    out: resolve(out),
    scope,
    ...(only === undefined ? {} : { only }),
    ...(handlers === undefined ? {} : { handlers: resolve(handlers) }),
  });
  const drifts: Drift[] = [];
  const paths: string[] = [];
  const add = (drift: Drift, files: FileTexts) => {
    drifts.push(drift);
    paths.push(...files.keys());
    if (!check) applyDrift(files, drift);
  };
  for (const files of parts) add(compareFiles(files), files);
  if (only === undefined) add(compareFolder(paths, resolve(out)), new Map());
  const result = report(joinDrifts(drifts), check, paths.length);
  if (result.exitCode === 0 && paths.length === 0) return nothingIn(schemas);
  if (result.exitCode === 0) lastRun.remember(paths);
  return result;
}

const nothingIn = (schemas: string): CommandResult => ({
  lines: [
    `${schemas} contains no connector. Create one with "svc-codegen new <id>", or give another folder with --schemas.`,
  ],
  exitCode: 1,
});

const joinDrifts = (drifts: readonly Drift[]): Drift => ({
  changed: drifts.flatMap(({ changed }) => changed).sort(),
  stale: drifts.flatMap(({ stale }) => stale).sort(),
  orphaned: drifts.flatMap(({ orphaned }) => orphaned),
});

function report({ changed, stale, orphaned }: Drift, isCheck: boolean, total: number): CommandResult {
  const lines = [
    ...changed.map((path) => `${isCheck ? 'out of date' : 'written'}: ${path}`),
    ...stale.map((path) => `${isCheck ? 'no longer generated' : 'removed'}: ${path}`),
    ...orphaned.map((path) => `delete this package, because its connector no longer exists: ${path}`),
  ];
  const isClean = orphaned.length === 0 && (!isCheck || lines.length === 0);
  const isOutdated = changed.length + stale.length > 0;
  const advice = isCheck && isOutdated ? ['Run the generator again without --check.'] : [];
  const summary = lines.length === 0 ? [upToDate(total)] : [];
  return { lines: [...lines, ...advice, ...summary], exitCode: isClean ? 0 : 1 };
}
