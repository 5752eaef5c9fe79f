import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const CONNECTORS = readdirSync(join(packages, 'connectors'));

// pnpm gives each package a folder that contains only its own dependencies.
const STORE = [
  { name: '@svc/core', folder: 'core', dependencies: [] },
  { name: '@svc/catalog', folder: 'catalog', dependencies: [] },
  ...CONNECTORS.map((id) => ({
    name: `@svc/${id}`,
    folder: `connectors/${id}`,
    dependencies: ['@svc/core'],
  })),
  { name: '@svc/agents', folder: 'agents', dependencies: ['@svc/core'] },
  { name: '@svc/testing', folder: 'testing', dependencies: ['@svc/core', '@svc/catalog'] },
];

const LIBRARY = `import { calendar, createClient, isServiceError, manage, narrowToken } from '@svc/calendar';
import { schemas } from '@svc/calendar/schemas';
import { tools } from '@svc/agents';
import { aiTools } from '@svc/agents/ai';
import { fakeService } from '@svc/testing';

export const client = createClient({ environmentUrl: 'https://svc.test', accessToken: 'x' });
export const cal = calendar(client, 'acct_1');
export const operate = manage(client);
export const createEvent = cal.createEvent;
export const book = (summary: string) => cal.createEvent({ summary, start_datetime: '2026-12-01T09:00:00Z' });
export const plan = () => cal.createEvent({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' }, { dryRun: true });
export const events = () => cal.listEvents.each({});
export const accounts = () => operate.accounts.list({});
export const link = (identifier: string) => client.getAuthorizationLink({ connectionName: 'calendar', identifier });
export const narrow = (token: string) => narrowToken(token, { readOnly: true });
export const failureOf = (error: unknown) => (isServiceError(error) ? error : undefined);
export const send = client.request;
export const call = client.call;
export const listEvents = operate.events.list;
export async function firstEnd() {
  for (const event of (await operate.events.list({})).items)
    if (event.type === 'account.reauthorization_required') return event.data;
}
export const agentTools = tools(client, { schemas, accounts: { calendar: 'acct_1' } });
export const forModel = () => aiTools(agentTools, (schema) => ({ schema }));
export const fakes = () => fakeService();
`;

const CONSUMER = `import { accounts, book, cal, events, failureOf, fakes, firstEnd, forModel, plan } from 'library';
export const id: Promise<string> = book('Review').then(({ data }) => data.id);
export const isComplete: Promise<boolean> = plan().then(({ dryRun }) => dryRun.isComplete);
export const first: Promise<string | undefined> = accounts().then(({ items }) => items[0]?.identifier);
export const code: string | undefined = failureOf(new Error())?.code;
export const title: string | undefined = forModel().tools.calendar_create_event.title;
export const reason: Promise<string | undefined> = firstEnd().then((data) => data?.reason);
export const calls: number = fakes().fake.calendar.createEvent.calls.length;
for await (const event of events()) event.summary satisfies string | undefined;
await cal.createEvent({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z', location: undefined });
`;

const root = mkdtempSync(join(tmpdir(), 'isolated-'));

const pathInStore = (name: string) => join(root, 'store', name.replace('/', '+'), 'node_modules', name);

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

function writePackage(name: string, files: Readonly<Record<string, string>>): string {
  const folder = pathInStore(name);
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version: '1.0.0', type: 'module', exports: { '.': { types: './index.d.ts' } } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

/** Compiles one file in its folder, and returns the errors. */
function compile(folder: string, file: string): readonly string[] {
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    declaration: true,
    emitDeclarationOnly: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

beforeAll(() => {
  link(join(packages, 'catalog/node_modules/ajv'), join(root, 'store/@svc+catalog/node_modules/ajv'));
  for (const { name, folder, dependencies } of STORE) {
    for (const part of ['package.json', 'dist'])
      cpSync(join(packages, folder, part), join(pathInStore(name), part), { recursive: true });
    for (const dependency of dependencies)
      link(pathInStore(dependency), join(root, 'store', name.replace('/', '+'), 'node_modules', dependency));
  }
});

test('a library that wraps the packages gives its consumer exact types without @svc/core', () => {
  const library = writePackage('library', { 'index.ts': LIBRARY });
  for (const name of ['@svc/calendar', '@svc/agents', '@svc/testing'])
    link(pathInStore(name), join(root, 'store/library/node_modules', name));
  expect(compile(library, 'index.ts')).toEqual([]);
  rmSync(join(library, 'index.ts'));

  const application = writePackage('application', {
    'program.ts': CONSUMER,
    'wrong.ts': `import { cal } from 'library';\nawait cal.createEvent({ summary: 'Review', start_datetime: 1 });\n`,
    'unknown.ts': `import { book } from 'library';\n(await book('Review')).data.nope;\n`,
  });
  link(library, join(root, 'store/application/node_modules/library'));
  expect(compile(application, 'program.ts')).toEqual([]);
  expect(compile(application, 'wrong.ts')).toEqual([expect.stringContaining('TS2322')]);
  expect(compile(application, 'unknown.ts')).toEqual([expect.stringContaining('TS2339')]);
});

// Each library has one connector package only, because the compiler could name the types through another one.
test.each(CONNECTORS)('a library can name the types of all methods of @svc/%s without @svc/core', (id) => {
  // The spread makes the compiler write the type of each method, instead of the name of the object's type.
  const program = `import { createClient, ${id} } from '@svc/${id}';
export const methods = { ...${id}(createClient({ environmentUrl: 'https://svc.test' }), 'acct_1') };
`;
  const library = writePackage(`wrapper-of-${id}`, { 'index.ts': program });
  link(pathInStore(`@svc/${id}`), join(root, 'store', `wrapper-of-${id}`, 'node_modules/@svc', id));
  expect(compile(library, 'index.ts')).toEqual([]);
  rmSync(join(library, 'index.ts'));
  // The compiler may write the name of a package that the library cannot find.
  expect(compile(library, 'index.d.ts')).toEqual([]);
});
