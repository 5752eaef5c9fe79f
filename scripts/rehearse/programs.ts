import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assertContains } from '../assert-contains.ts';
import { freePort } from '../free-port.ts';
import type { Registry } from './registry.ts';
import type { RunningService } from './service.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, start, writeFiles } from './workplace.ts';

/** Project as a user creates it, with all connector packages installed and a type-checked program. */
export interface Project {
  readonly folder: string;
  readonly ids: readonly string[];
}

const typedProgram = (ids: readonly string[]) => `
import { createClient, type Client } from '@svc/core';
${ids.map((id) => `import * as ${id}Package from '@svc/${id}';`).join('\n')}
${ids.map((id) => `import { schemas as ${id}Schemas } from '@svc/${id}/schemas';`).join('\n')}
import { calendar } from '@svc/calendar';
import { scrapermcp } from '@svc/scrapermcp';

export const packages = [${ids.map((id) => `${id}Package, ${id}Schemas`).join(', ')}];
const client: Client = createClient({ environmentUrl: 'https://svc.example.com', accessToken: 'x' });
const events = calendar(client, 'acct_1');
export async function use(): Promise<string | undefined> {
  const { data } = await events.createEvent({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' });
  for await (const event of events.listEvents.each({ single_events: true })) if (event.id === data.id) return event.summary;
  // @ts-expect-error a field is missing
  await events.createEvent({ summary: 'Review' });
  const { data: run } = await scrapermcp(client, 'acct_2').callActor({ actor: 'a', input: {}, waitSecs: 1 }, { schemaVersion: '2.0.0' });
  return run.status;
}
`;

/**
 * Source of a module that calls a tool and returns the result. It must run in every JavaScript runtime. A page calls
 * `runAsUser` with a token for one user.
 */
const RUN = `
import { createClient, scrapermcp } from '@svc/scrapermcp';
const user = { connectionName: 'scrapermcp', identifier: 'rehearsal' };
export async function runAsUser(settings) {
  const { data } = await scrapermcp(createClient(settings), user).searchActors({ keywords: 'crawler' });
  return data.actors.length > 0 ? 'actors' : 'none';
}
export async function run(settings) {
  const svc = createClient(settings);
  const { status } = await svc.getOrCreateConnectedAccount({ ...user, bearerToken: 'sandbox-scrapermcp' });
  return \`\${status}, \${await runAsUser(settings)}\`;
}
export async function makeToken(settings) {
  await run(settings);
  return createClient(settings).accountToken({ identifier: user.identifier });
}
`;
const RIGHT = 'authorized, actors';

/** Creates a project and installs all connector packages, as a user does. */
export async function createProject(
  { find }: Tools,
  { ids, registry }: { readonly ids: readonly string[]; readonly registry: Registry },
): Promise<Project> {
  const folder = newFolder('programs');
  writeFiles(folder, {
    'package.json': { name: 'programs', private: true, type: 'module' },
    'main.ts': typedProgram(ids),
    'run.mjs': RUN,
  });
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  const names = ids.map((id) => `@svc/${id}`);
  await run(process.execPath, [npm, 'install', '--no-audit', '--no-fund', '@svc/core', ...names], {
    cwd: folder,
    env: registry.env,
  });
  return { folder, ids };
}

const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

/**
 * Compiles the TypeScript program of a test project. `skipLibCheck` is off, so that the compiler also checks the
 * declarations of the installed packages.
 */
export async function compileProgram(
  { find }: Tools,
  { folder }: Project,
  { version, resolution }: { readonly version: string; readonly resolution: keyof typeof RESOLUTIONS },
): Promise<string> {
  const tsc = find(`typescript-${version}/bin/tsc`);
  if (tsc === undefined) return `skipped: TypeScript ${version} could not be installed`;
  const config = `tsconfig.${version}-${resolution}.json`;
  const compilerOptions = {
    ...RESOLUTIONS[resolution],
    target: 'es2022',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  };
  writeFiles(folder, { [config]: { compilerOptions, files: ['main.ts'] } });
  await run(process.execPath, [tsc, '--project', config], { cwd: folder });
  return 'compiled, declarations included';
}

/** Project with the rehearsal's program, and the service that the program calls. */
export interface ProgramContext {
  readonly tools: Tools;
  readonly project: Project;
  readonly service: RunningService;
}

const mainOf = (service: RunningService) => `
import { run } from './run.mjs';
console.log(await run(${JSON.stringify(service)}));
`;

/** Runs the rehearsal's program with a JavaScript runtime that has a command line, such as Bun or Deno. */
export async function runBy(
  command: string | undefined,
  args: readonly string[],
  { project: { folder }, service }: ProgramContext,
): Promise<string> {
  if (command === undefined) return 'skipped: the registry has none for this machine';
  writeFiles(folder, { 'main.mjs': mainOf(service) });
  const printed = await run(command, [...args, 'main.mjs'], { cwd: folder, timeout: 120_000 });
  assertContains(printed, [RIGHT]);
  return 'a tool was called';
}

/** Bundles the rehearsal's program into one file, as for workers and pages. */
export async function bundle(
  { tools, project: { folder } }: ProgramContext,
  entry: string,
  platform: string,
): Promise<string> {
  const esbuild = tools.find('esbuild/bin/esbuild');
  assert.ok(esbuild, 'esbuild is not installed');
  const out = `${entry}.bundle.js`;
  const args = [
    '--bundle',
    '--format=esm',
    `--conditions=${platform},import`,
    '--platform=browser',
    `--outfile=${out}`,
  ];
  await run(process.execPath, [esbuild, entry, ...args], { cwd: folder });
  return readFileSync(path.join(folder, out), 'utf8');
}

const WORKER = `
import { run } from './run.mjs';
export default { fetch: async (_request, env) => new Response(await run(JSON.parse(env.settings))) };
`;

/** Runs the rehearsal's program in workerd, the runtime of Cloudflare Workers. */
export async function runInWorkerd(context: ProgramContext): Promise<string> {
  const { tools, project, service } = context;
  if (tools.workerd === undefined) return 'skipped: the registry has none for this machine';
  writeFiles(project.folder, { 'worker.mjs': WORKER });
  writeFiles(project.folder, { 'worker.js': await bundle(context, 'worker.mjs', 'workerd') });
  const port = await freePort();
  writeFiles(project.folder, { 'workerd.capnp': workerdConfig(port, service) });
  start(tools.workerd, ['serve', 'workerd.capnp'], { cwd: project.folder });
  assert.equal(await fetchText(`http://127.0.0.1:${port}/`), RIGHT);
  return 'a tool was called';
}

const workerdConfig = (port: number, service: RunningService) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-06-01",
      bindings = [(name = "settings", text = ${JSON.stringify(JSON.stringify(service))})],
      globalOutbound = "network")),
    (name = "network", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
`;

async function fetchText(url: string): Promise<string> {
  for (let tries = 0; tries < 80; tries += 1) {
    const text = await fetch(url).then(
      (reply) => reply.text(),
      () => undefined,
    );
    if (text !== undefined) return text;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return 'no response';
}
