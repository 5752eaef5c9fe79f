import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// Who may import whom. Root files, src/generated/ and packages are open to every room; a room may always import itself.
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  routes: ['tools', 'upstream', 'accounts'],
  tools: ['upstream'],
  upstream: ['accounts', 'http'],
  accounts: ['oauth', 'storage'],
  oauth: ['http'],
  http: [],
  storage: [],
  commands: ['accounts'],
  production: ['http', 'storage'],
};
const EVERY_ROOM = ['app', 'main', 'open-storage', 'parts', 'run-command', 'serve'];

// Packages that open a door of their own, and the one file or room that may use it.
const DOORS: Readonly<Record<string, RegExp>> = {
  undici: /^http\//,
  'node:http': /^http\//,
  'node:https': /^http\//,
  'node:net': /^http\//,
  'node:dns': /^http\//,
  'node:dns/promises': /^http\//,
  // It would use a fetch of its own where it is given none.
  '@modelcontextprotocol/client': /^upstream\/mcp-client\.ts$/,
  '@aws-sdk/client-kms': /^accounts\/aws-root-key\.ts$/,
  '@google-cloud/kms': /^accounts\/google-root-key\.ts$/,
  kysely: /^storage\//,
  'better-sqlite3': /^storage\//,
  pg: /^storage\//,
};

const SOURCE = import.meta.dirname;
const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'));

/** The room that a file of ours stands in; `undefined` for root files, generated files and packages. */
function roomOf(file: string): string | undefined {
  const [folder = '', inside] = file.split(path.sep);
  return inside !== undefined && folder in ROOMS ? folder : undefined;
}

const imports = files.flatMap((from) => {
  const text = readFileSync(path.join(SOURCE, from), 'utf8');
  const found = [...text.matchAll(/^(import type )?.*(?:from|import)\s*\(?\s*'([^']+)'/gm)];
  return found.map(([, type, name = '']) => ({
    from,
    to: name.startsWith('.') ? path.join(path.dirname(from), name) : name,
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

test('the network and SQL have one door each', () => {
  const forbidden = imports.filter(({ from, to, isType }) => !isType && DOORS[to]?.test(from) === false);
  expect(forbidden).toEqual([]);
});

test('K8: one module decrypts, for the vault and for root keys alone', () => {
  const using = files.filter((file) => /[Dd]ecipher/.test(readFileSync(path.join(SOURCE, file), 'utf8')));
  expect(using).toEqual([path.join('accounts', 'cipher.ts')]);
  const users = imports.filter(({ to }) => to === path.join('accounts', 'cipher.js'));
  expect(users.map(({ from }) => from).sort()).toEqual(
    ['local-root-key.ts', 'vault.ts'].map((file) => path.join('accounts', file)),
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
