import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assertContains } from '../assert-contains.ts';
import type { Registry } from './registry.ts';
import type { Versions } from './releases.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, writeFiles } from './workplace.ts';

/** Package manager with which the release rehearsal installs connectors. */
interface Manager {
  readonly name: string;
  /** Command that adds packages to a project. Undefined if the package manager is not available on this machine. */
  readonly add: readonly [command: string, ...args: string[]] | undefined;
  /** Command that runs a program of the project. Default: Node.js. */
  readonly node?: readonly [command: string, ...args: string[]];
  readonly files?: Readonly<Record<string, string>>;
}

export function managersOf({ find, bun }: Tools): readonly Manager[] {
  const script = (file: string, ...args: string[]): Manager['add'] => {
    const binary = find(file);
    return binary === undefined ? undefined : [process.execPath, binary, ...args];
  };
  const yarn = script('@yarnpkg/cli-dist/bin/yarn.js');
  return [
    { name: 'npm', add: script('npm/bin/npm-cli.js', 'install', '--no-audit', '--no-fund') },
    { name: 'pnpm', add: ['pnpm', 'add'], files: { 'pnpm-workspace.yaml': 'packages: []\n' } },
    {
      name: 'Yarn, Plug and Play',
      add: yarn && [...yarn, 'add'],
      ...(yarn && { node: [...yarn, 'node'] }),
      files: { 'yarn.lock': '' },
    },
    { name: 'Bun', add: bun === undefined ? undefined : [bun, 'add'] },
  ];
}

/**
 * Returns a program that imports only the connector package, which re-exports the client and the errors of `@svc/core`.
 */
const programOf = (id: string, hasMethods: boolean) => `
import * as everything from '@svc/${id}';
import { createClient, ServiceError } from '@svc/${id}';
import { schemas } from '@svc/${id}/schemas';
const client = createClient({ environmentUrl: 'http://127.0.0.1:1', accessToken: 'x', maxRetries: 0 });
if (typeof client.executeTool !== 'function' || typeof ServiceError !== 'function' || typeof schemas !== 'object') process.exit(1);
const tools = ${hasMethods ? `everything.${id}(client, 'acct_1')` : '{}'};
console.log('${id} has', Object.keys(tools).length, 'methods');
`;

/** Installs each connector package into an empty project, and runs a program that imports only that package. */
export async function installAlone(
  manager: Manager,
  { ids, registry }: { readonly ids: readonly string[]; readonly registry: Registry },
): Promise<string> {
  const { add, node = [process.execPath], files = {} } = manager;
  if (add === undefined) return `skipped: the registry has no ${manager.name} for this machine`;
  const [command, ...args] = add;
  for (const id of ids) {
    const cwd = newFolder('project');
    const program = programOf(id, id !== 'filesite');
    writeFiles(cwd, {
      ...files,
      'package.json': { name: 'project', private: true, type: 'module' },
      'main.mjs': program,
    });
    await run(command, [...args, `@svc/${id}`], { cwd, env: registry.env });
    const [runner, ...first] = node;
    assertContains(await run(runner, [...first, 'main.mjs'], { cwd, env: registry.env }), [
      `${id} has`,
      'methods',
    ]);
  }
  return `${ids.length} connectors, each alone`;
}

/**
 * Installs the newest calendar package with the video package of the first release. Both packages must share one client
 * in types and at run time.
 */
export async function installTogether({ find }: Tools, registry: Registry, first: Versions): Promise<string> {
  const cwd = newFolder('mixed');
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  const install = (...names: string[]) =>
    run(process.execPath, [npm, 'install', '--no-audit', '--no-fund', ...names], { cwd, env: registry.env });
  writeFiles(cwd, {
    'package.json': { name: 'mixed', private: true, type: 'module' },
    'main.ts': MIXED_PROGRAM,
    'tsconfig.json': {
      compilerOptions: { module: 'nodenext', strict: true, noEmit: true, types: [] },
      files: ['main.ts'],
    },
  });
  await install(`@svc/video@${first['@svc/video']}`, `@svc/core@${first['@svc/core']}`);
  await install('@svc/calendar@latest');
  const cores = globSync('node_modules/**/@svc/core/package.json', { cwd });
  assert.equal(cores.length, 1, `the project has several copies of @svc/core: ${cores.join(', ')}`);
  await run(process.execPath, [find('typescript-7/bin/tsc') ?? 'tsc', '--project', '.'], { cwd });
  await run(process.execPath, ['main.ts'], { cwd });
  const versionOf = (name: string) =>
    (
      JSON.parse(readFileSync(path.join(cwd, 'node_modules', name, 'package.json'), 'utf8')) as {
        version: string;
      }
    ).version;
  return ['@svc/video', '@svc/calendar', '@svc/core'].map((name) => `${name} ${versionOf(name)}`).join(', ');
}

const MIXED_PROGRAM = `
import { calendar, createClient } from '@svc/calendar';
import { video, createClient as createOther } from '@svc/video';
const client = createClient({ environmentUrl: 'http://127.0.0.1:1', accessToken: 'x' });
const tools = [calendar(client, 'acct_1'), video(client, 'acct_2'), video(createOther({ environmentUrl: 'http://127.0.0.1:1', accessToken: 'x' }), 'acct_3')] as const;
export const list = () => tools[0].listEvents({});
export const search = () => tools[1].search({ query: 'x' } as never);
`;
