import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Catalog } from '@svc/catalog';
import { type CommandResult, RELEASE_HELP } from '../help.js';
import { readJsonFile } from '../read-json-file.js';
import { usageProblem } from '../usage-problem.js';
import { LEVELS } from './change.js';
import { type ConnectorChanges, compareRelease, type ReleaseChange } from './compare-release.js';
import { describeRelease, type PackageVersion } from './describe-release.js';
import { readReleaseFile, releaseFileText } from './release-file.js';

const OPTIONS = {
  schemas: { type: 'string', default: 'schemas' },
  out: { type: 'string', default: 'packages/connectors' },
  released: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    return usageProblem(error);
  }
}

/** Runs `svc-codegen diff` or `svc-codegen release`. */
export async function runReleaseCommand(
  command: 'diff' | 'release',
  args: readonly string[],
): Promise<CommandResult> {
  const options = parse(args);
  if (typeof options === 'string') return { lines: [options, '', RELEASE_HELP], exitCode: 2 };
  if (options.help) return { lines: [RELEASE_HELP], exitCode: 0 };
  const { schemas, out, released = join(schemas, 'released.json') } = options;
  const { CatalogError, loadCatalog } = await import('@svc/catalog');
  try {
    const catalog = loadCatalog({ builtIn: false, folders: [schemas] });
    return command === 'diff' ? diff(catalog, released) : release(catalog, { out, file: released });
  } catch (error) {
    if (error instanceof CatalogError) return { lines: [error.message], exitCode: 1 };
    throw error;
  }
}

function diff(catalog: Catalog, file: string): CommandResult {
  const connectors = compareRelease(readReleaseFile(file), catalog);
  if (connectors.length === 0) return { lines: ['Nothing changed since the last release.'], exitCode: 0 };
  const isBroken = connectors.some(({ changes }) => changes.some(({ broken }) => broken !== undefined));
  return { lines: releaseText(connectors), exitCode: isBroken ? 1 : 0 };
}

function release(
  catalog: Catalog,
  { out, file }: { readonly out: string; readonly file: string },
): CommandResult {
  const earlier = readReleaseFile(file);
  const broken = compareRelease(earlier, catalog).filter(({ changes }) =>
    changes.some((change) => change.broken !== undefined),
  );
  if (broken.length > 0)
    return {
      lines: [
        ...releaseText(broken),
        'Nothing was written. Correct each change that is listed as "not allowed", then run the command again.',
      ],
      exitCode: 1,
    };
  const text = releaseFileText(describeRelease(catalog, ({ id }) => readPackage(join(out, id)), earlier));
  if (existsSync(file) && readFileSync(file, 'utf8') === text)
    return { lines: [`${file} is up to date.`], exitCode: 0 };
  writeFileSync(file, text);
  return { lines: [`written: ${file}`], exitCode: 0 };
}

function readPackage(folder: string): PackageVersion {
  const { name, version } = readJsonFile(join(folder, 'package.json')) as { name: string; version: string };
  return { package: name, version };
}

/** Formats the changes since the last release for a person: by connector, breaking changes first. */
export function releaseText(connectors: readonly ConnectorChanges[]): readonly string[] {
  return connectors.flatMap(({ id, released, changes }) => [
    released === undefined
      ? `${id}, not released yet`
      : `${id}, since ${released.package} ${released.version}`,
    ...LEVELS.flatMap((level) => changes.filter((change) => change.level === level)).map(lineOf),
  ]);
}

function lineOf({ level, where, reason, broken }: ReleaseChange): string {
  const start = `  ${level.padEnd(8)}  ${where}: ${reason}`;
  return broken === undefined ? start : `${start}\n            not allowed: ${broken}`;
}
