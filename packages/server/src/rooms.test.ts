import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../test/new-folder.js';

// Who may import whom. Root files, src/generated/ and packages are open to every room; a room may always import itself.
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  routes: [
    'approvals',
    'grants',
    'hot',
    'tools',
    'upstream',
    'authorization',
    'connections',
    'tenants',
    'records',
  ],
  commands: ['config', 'authorization', 'connections', 'tenants', 'vault', 'records'],
  mcp: ['hot', 'tools', 'authorization', 'connections', 'tenants'],
  grants: ['connections', 'tenants', 'vault', 'records', 'oauth', 'storage'],
  approvals: ['tools', 'connections', 'vault', 'records', 'storage'],
  hot: ['tools', 'upstream', 'connections', 'tenants'],
  tools: ['upstream'],
  upstream: ['connections', 'http'],
  authorization: ['connections', 'tenants', 'vault', 'records', 'oauth', 'storage'],
  connections: ['vault', 'records', 'oauth', 'storage'],
  tenants: ['vault', 'records', 'storage'],
  vault: ['records', 'storage'],
  records: ['storage'],
  oauth: ['http'],
  http: [],
  storage: [],
  listener: [],
  production: ['config', 'http', 'storage'],
  config: [],
};
const EVERY_ROOM = [
  'app',
  'application-routes',
  'hot-path',
  'background',
  'index',
  'introduce',
  'main',
  'open-storage',
  'parts',
  'program',
  'run-command',
  'serve',
  'service-health',
  'tail',
];

// Packages and modules of Node.js that open a door of their own, and the one file or room that may use it.
const NOBODY = /^$/;
const DOORS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['undici', 'http', 'https', 'http2', 'net', 'tls', 'dns', 'dgram', 'quic'].map((name) => [
      name,
      /^http\//,
    ]),
  ),
  ...Object.fromEntries(['cluster', 'inspector', 'wasi', 'repl'].map((name) => [name, NOBODY])),
  // Instead of a service: npx, with the sandbox that it lacks.
  child_process: /^bring-sandbox\.ts$/,
  // Where the collector is found.
  vm: /^collector\.ts$/,
  // Node keeps there what it compiled.
  module: /^keep-compiled\.ts$/,
  // It would use a fetch of its own where it is given none.
  '@modelcontextprotocol/client': /^upstream\/mcp-client\.ts$/,
  // Loaded with the first request that needs it.
  '@modelcontextprotocol/server': /^mcp\/library\.ts$/,
  // It would look up lists of revoked certificates by itself.
  '@simplewebauthn/server': /^tenants\/passkey-ceremony\.ts$/,
  '@aws-sdk/client-kms': /^vault\/aws-root-key\.ts$/,
  '@google-cloud/kms': /^vault\/google-root-key\.ts$/,
  // SQLite works beside the event loop there.
  worker_threads: /^storage\//,
  kysely: /^storage\//,
  'better-sqlite3': /^storage\//,
  pg: /^storage\//,
};

/** `node:dns/promises` belongs to `dns`, as a file of a package belongs to the package. */
const doorOf = (name: string): string => /^(?:node:)?((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name;

const SOURCE = import.meta.dirname;
const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'));

/** The room that a file of ours stands in; `undefined` for root files, generated files and packages. */
function roomOf(file: string): string | undefined {
  const [folder = '', inside] = file.split(path.sep);
  return inside !== undefined && folder in ROOMS ? folder : undefined;
}

const imports = files.flatMap((from) => {
  const text = readFileSync(path.join(SOURCE, from), 'utf8');
  const found = [
    ...text.matchAll(/^(import type )?.*\b(?:from|import|require)\s*\(?\s*['"`]([^'"`]+)['"`]/gm),
  ];
  return found.map(([, type, name = '']) => ({
    from,
    to: name.startsWith('.') ? path.join(path.dirname(from), name) : name,
    door: name.startsWith('.') ? undefined : DOORS[doorOf(name)],
    isType: type !== undefined,
  }));
});

test('every room imports only the rooms that it may', () => {
  const forbidden = imports.filter(({ from, to }) => {
    const room = roomOf(from);
    const target = roomOf(to);
    if (room === undefined || target === undefined || room === target) return false;
    return !ROOMS[room]?.includes(target);
  });
  expect(forbidden).toEqual([]);
});

test('only the files that put the parts together use all rooms', () => {
  const forbidden = imports.filter(({ from, to }) => {
    const isRoot = path.dirname(from) === '.' && !EVERY_ROOM.includes(path.basename(from, '.ts'));
    return isRoot && roomOf(to) !== undefined;
  });
  expect(forbidden).toEqual([]);
});

test('N1: the network and SQL have one door each', () => {
  const forbidden = imports.filter(
    ({ from, door, isType }) => !isType && door?.test(from.replaceAll(path.sep, '/')) === false,
  );
  expect(forbidden).toEqual([]);
});

test('N1: nothing is loaded by a name that only a run would tell', () => {
  const hidden =
    /\b(?:import|require)\s*\((?!\s*['"])|getBuiltinModule|process\.binding|\bdlopen\b|\beval\b|new Function\b/;
  expect(files.filter((file) => hidden.test(readFileSync(path.join(SOURCE, file), 'utf8')))).toEqual([]);
});

test('N1: no linter is told to look away from a global that opens a door', () => {
  const ignoring = files.filter((file) =>
    /biome-ignore.*noRestrictedGlobals/.test(readFileSync(path.join(SOURCE, file), 'utf8')),
  );
  expect(ignoring).toEqual([]);
});

const ROOT = path.join(SOURCE, '../../..');
const PROBE = readFileSync(path.join(SOURCE, '../test/support/global-doors.txt'), 'utf8');

/** The lines of a file of the server in which the linter finds such a global. */
function findGlobals(room: string): readonly number[] {
  const folder = newFolder();
  for (const file of ['.biome.json', '.gitignore']) cpSync(path.join(ROOT, file), path.join(folder, file));
  const probe = path.join(folder, 'packages/server/src', room, 'probe.ts');
  mkdirSync(path.dirname(probe), { recursive: true });
  writeFileSync(probe, PROBE);
  const args = ['lint', '--only=style/noRestrictedGlobals', '--reporter=json', '.'];
  const { stdout } = spawnSync(path.join(ROOT, 'scripts/node_modules/.bin/biome'), args, {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics }: { diagnostics: readonly { location: { start: { line: number } } }[] } =
    JSON.parse(stdout);
  return diagnostics.map(({ location }) => location.start.line).sort((one, other) => one - other);
}

test('N1: outside http/ no global opens a door, and a parameter of that name is none', () => {
  const wrong = PROBE.split('\n').flatMap((line, index) => (line.endsWith('// a door') ? index + 1 : []));
  expect(wrong.length).toBeGreaterThan(8);
  expect(findGlobals('upstream')).toEqual(wrong);
  expect(findGlobals('http')).toEqual([]);
});

test('K8: one module decrypts, for the vault and for root keys alone', () => {
  const using = files.filter((file) => /[Dd]ecipher/.test(readFileSync(path.join(SOURCE, file), 'utf8')));
  expect(using).toEqual([path.join('vault', 'cipher.ts')]);
  const users = imports.filter(({ to }) => to === path.join('vault', 'cipher.js'));
  expect(users.map(({ from }) => from).sort()).toEqual(
    ['local-root-key.ts', 'vault.ts'].map((file) => path.join('vault', file)),
  );
});

test('nothing outside tools/handlers names a connector', () => {
  const connectors = globSync('*/connector.json', { cwd: path.join(SOURCE, '../../../schemas') }).map(
    (file) => path.dirname(file),
  );
  expect(connectors.length).toBeGreaterThan(0);
  const naming = files.filter((file) => {
    if (file.startsWith(path.join('tools', 'handlers')) || file.startsWith('generated')) return false;
    const text = readFileSync(path.join(SOURCE, file), 'utf8');
    return connectors.some((connector) => new RegExp(`['"\`]${connector}(_|['"\`])`).test(text));
  });
  expect(naming).toEqual([]);
});
