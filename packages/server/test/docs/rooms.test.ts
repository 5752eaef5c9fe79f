import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';

const SOURCE = path.join(import.meta.dirname, '../../src');
const ARCHITECTURE = readFileSync(path.join(SOURCE, '../../docs/architecture.md'), 'utf8');

/** Rows of the table of rooms in docs/architecture.md, from top to bottom. A room is a folder of `src/`. */
const ROWS = [...ARCHITECTURE.matchAll(/^\| `([a-z-]+)\/` \| ([a-z, -]+) \|/gm)].map(
  ([, room = '', allowed = '']) => ({ room, allowed }),
);
const SHARED = ROWS.filter(({ allowed }) => allowed === 'shared').map(({ room }) => room);

function mayImport({ room, allowed }: (typeof ROWS)[number]): readonly string[] {
  const below = ROWS.slice(ROWS.findIndex((row) => row.room === room) + 1).map((row) => row.room);
  if (allowed === 'every room below') return below;
  const listed = allowed === 'nothing' || allowed === 'shared' ? [] : allowed.split(', ');
  return below.filter((each) => listed.includes(each) || SHARED.includes(each));
}

// Folders that each room may import, by room. Root files, src/generated/ and packages are open to every room, and a
// room may always import itself.
const ROOMS = new Map(ROWS.map((row) => [row.room, mayImport(row)]));
// Root files that may import rooms: the entries of the program and of the package.
const ENTRIES = ['index', 'main'];

// Pattern that matches no file: no file may import the module.
const NOBODY = /^$/;
// Packages and Node.js modules that reach the network, processes or SQL, with the only file or folder that may import
// each.
const IMPORTERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['undici', 'http', 'https', 'http2', 'net', 'tls', 'dns', 'dgram', 'quic'].map((name) => [
      name,
      /^http\//,
    ]),
  ),
  ...Object.fromEntries(['cluster', 'inspector', 'wasi', 'repl'].map((name) => [name, NOBODY])),
  // Only restart-with-sandbox.ts may start processes. It restarts the program with npx if the sandbox package is
  // missing.
  child_process: /^start\/restart-with-sandbox\.ts$/,
  // No file may import these modules, because V8 settings belong on the command line of the process.
  ...Object.fromEntries(['v8', 'vm'].map((name) => [name, NOBODY])),
  // compile-cache.ts enables the compile cache of Node.js. node-server.ts loads the HTTP server of Node.js.
  module: /^(config\/compile-cache|http\/node-server)\.ts$/,
  // mcp-client.ts passes the service's `fetch`, because the MCP client would otherwise use the global `fetch`.
  '@modelcontextprotocol/client': /^mcp-client\/mcp-client\.ts$/,
  // library.ts loads the MCP server package lazily, with the first request that needs it.
  '@modelcontextprotocol/server': /^mcp\/library\.ts$/,
  // passkey-ceremony.ts alone may import the package, because it would otherwise fetch certificate revocation lists.
  '@simplewebauthn/server': /^operators\/passkey-ceremony\.ts$/,
  '@aws-sdk/client-kms': /^vault\/aws-root-key\.ts$/,
  '@google-cloud/kms': /^vault\/google-root-key\.ts$/,
  // SQLite runs in worker threads, so that queries do not block the event loop.
  worker_threads: /^storage\//,
  kysely: /^storage\//,
  'better-sqlite3': /^storage\//,
  pg: /^storage\//,
};

/** Returns the package or module of an import: `node:dns/promises` belongs to `dns`. */
const packageOf = (name: string): string => /^(?:node:)?((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name;

const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'));

/** Returns the room (folder) of a source file; `undefined` for root files, generated files and packages. */
function roomOf(file: string): string | undefined {
  const [folder = '', inside] = file.split(path.sep);
  return inside !== undefined && ROOMS.has(folder) ? folder : undefined;
}

const imports = files.flatMap((from) => {
  const text = readFileSync(path.join(SOURCE, from), 'utf8');
  const matches = [
    ...text.matchAll(/^(import type )?.*\b(?:from|import|require)\s*\(?\s*['"`]([^'"`]+)['"`]/gm),
  ];
  return matches.map(([, type, name = '']) => ({
    from,
    to: name.startsWith('.') ? path.join(path.dirname(from), name) : name,
    importers: name.startsWith('.') ? undefined : IMPORTERS[packageOf(name)],
    isType: type !== undefined,
  }));
});

test('the table of rooms in docs/architecture.md lists every source folder', () => {
  const folders = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rooms = folders.map(({ name }) => name).filter((name) => name !== 'generated');
  expect([...ROOMS.keys()].sort()).toEqual(rooms.sort());
});

test('every source file that docs/architecture.md names exists', () => {
  const named = [...ARCHITECTURE.matchAll(/`([a-z-]+(?:\/[a-z-]+)+)`/g)].map(([, name = '']) => `${name}.ts`);
  const ofRooms = named.filter((name) => roomOf(path.normalize(name)) !== undefined);
  expect(ofRooms.length).toBeGreaterThan(80);
  expect(ofRooms.filter((name) => !existsSync(path.join(SOURCE, name)))).toEqual([]);
});

test('every room imports only its allowed rooms', () => {
  const forbidden = imports.filter(({ from, to }) => {
    const room = roomOf(from);
    const target = roomOf(to);
    if (room === undefined || target === undefined || room === target) return false;
    return !ROOMS.get(room)?.includes(target);
  });
  expect(forbidden).toEqual([]);
});

test('no file re-exports another room, except tools/handler.ts, the module that handlers import', () => {
  const reexports = files.flatMap((file) => {
    const text = readFileSync(path.join(SOURCE, file), 'utf8');
    return [...text.matchAll(/^export (?:type )?[{*][^;]*?\bfrom '\.\.\//gm)].map(() => file);
  });
  expect([...new Set(reexports)]).toEqual(['tools/handler.ts']);
});

test('root files import no room, except entries and shared rooms', () => {
  const forbidden = imports.filter(({ from, to }) => {
    const isRoot = path.dirname(from) === '.' && !ENTRIES.includes(path.basename(from, '.ts'));
    const target = roomOf(to);
    return isRoot && target !== undefined && !SHARED.includes(target);
  });
  expect(forbidden).toEqual([]);
});

/** Largest number of files that a file outside `assembly/` may import. `assembly/` imports everything. */
const MOST_IMPORTS = 20;

test('no file outside assembly/ imports more than 20 files', () => {
  const byFile = Map.groupBy(imports, ({ from }) => from);
  const large = [...byFile].filter(
    ([from, own]) => roomOf(from) !== 'assembly' && new Set(own.map(({ to }) => to)).size > MOST_IMPORTS,
  );
  expect(large.map(([from]) => from)).toEqual([]);
});

test('no files import each other in a circle, not even types', () => {
  const waiting = new Map<string, Set<string>>(files.map((file) => [file, new Set()]));
  for (const { from, to } of imports) {
    const target = to.replace(/\.js$/, '.ts');
    if (waiting.has(target)) waiting.get(from)?.add(target);
  }
  // Removes files without imports again and again. Only the files of circles, and files that import them, stay.
  for (let before = -1; before !== waiting.size; ) {
    before = waiting.size;
    for (const [file, targets] of waiting) {
      if ([...targets].every((target) => !waiting.has(target))) waiting.delete(file);
    }
  }
  expect([...waiting.keys()]).toEqual([]);
});

/** Returns the number of levels below and including a room: a room lies one level above the highest room it imports. */
function levelOf(room: string, levels: Map<string, number>): number {
  const known = levels.get(room);
  if (known !== undefined) return known;
  const used = imports.filter(({ from }) => roomOf(from) === room).flatMap(({ to }) => roomOf(to) ?? []);
  const below = [...new Set(used)].filter((each) => each !== room);
  const level = 1 + Math.max(0, ...below.map((each) => levelOf(each, levels)));
  levels.set(room, level);
  return level;
}

test('the source has at most 40 rooms on at most 15 levels', () => {
  expect(ROOMS.size).toBeLessThanOrEqual(40);
  const levels = new Map<string, number>();
  expect(Math.max(...[...ROOMS.keys()].map((room) => levelOf(room, levels)))).toBeLessThanOrEqual(15);
});

test('at most 8 files lie at the root, and at most 12 file names occur twice', () => {
  expect(readdirSync(SOURCE).filter((name) => name.endsWith('.ts')).length).toBeLessThanOrEqual(8);
  const byName = Map.groupBy(files, (file) => path.basename(file));
  expect([...byName].filter(([, same]) => same.length > 1).length).toBeLessThanOrEqual(12);
});

test('N1: only the dedicated modules import network and SQL libraries', () => {
  const forbidden = imports.filter(
    ({ from, importers, isType }) => !isType && importers?.test(from.replaceAll(path.sep, '/')) === false,
  );
  expect(forbidden).toEqual([]);
});

test('N1: no module is loaded by a computed name', () => {
  const hidden =
    /\b(?:import|require)\s*\((?!\s*['"])|getBuiltinModule|process\.binding|\bdlopen\b|\beval\b|new Function\b/;
  expect(files.filter((file) => hidden.test(readFileSync(path.join(SOURCE, file), 'utf8')))).toEqual([]);
});

test('N1: no linter exception allows a restricted global', () => {
  const ignoring = files.filter((file) =>
    /biome-ignore.*noRestrictedGlobals/.test(readFileSync(path.join(SOURCE, file), 'utf8')),
  );
  expect(ignoring).toEqual([]);
});

const ROOT = path.join(SOURCE, '../../..');
const PROBE = readFileSync(path.join(SOURCE, '../test/support/network-globals.txt'), 'utf8');

/** Returns the lines where the linter reports a restricted global in a file of this room. */
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

test('N1: the linter refuses network globals outside http/, but not parameters of the same name', () => {
  const wrong = PROBE.split('\n').flatMap((line, index) =>
    line.endsWith('// a network global') ? index + 1 : [],
  );
  expect(wrong.length).toBeGreaterThan(8);
  expect(findGlobals('upstream')).toEqual(wrong);
  expect(findGlobals('http')).toEqual([]);
});

test('K8: only one module decrypts, for the vault and for root keys', () => {
  const using = files.filter((file) => /[Dd]ecipher/.test(readFileSync(path.join(SOURCE, file), 'utf8')));
  expect(using).toEqual([path.join('vault', 'cipher.ts')]);
  const users = imports.filter(({ to }) => to === path.join('vault', 'cipher.js'));
  expect(users.map(({ from }) => from).sort()).toEqual(
    ['local-root-key.ts', 'vault.ts'].map((file) => path.join('vault', file)),
  );
});

test('source files outside tools/handlers name no connector', () => {
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
