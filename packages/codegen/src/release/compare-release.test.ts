import { loadCatalog } from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { type Edits, editFiles } from '../../test/edit-files.js';
import { petsFiles, temporaryFolder, writeFiles } from '../../test/fixture.js';
import { highestLevel } from './change.js';
import { compareRelease } from './compare-release.js';
import { compareTraits } from './compare-tools.js';
import { describeRelease } from './describe-release.js';

const load = (files: Readonly<Record<string, unknown>>) =>
  loadCatalog({ builtIn: false, folders: [writeFiles(temporaryFolder(), files)] });
const release = (files: Readonly<Record<string, unknown>>, version = '1.0.0') =>
  describeRelease(load(files), ({ id }) => ({ package: `@svc/${id}`, version }));
const released = release(petsFiles);

const find = 'pets/tools/pets_find.json#/';
const list = 'pets/tools/pets_list.json#/';
const rename = 'pets/tools/pets_rename.json#/';
const version = (path: string) => structuredClone(jsonAt(path));
const jsonAt = (path: string) =>
  (petsFiles[path] as { versions: [Record<string, unknown> & { input: object }] }).versions[0];
const ping = version('pets/tools/pets_ping.json');
const listed = version('pets/tools/pets_list.json');
const tokenRequired = { ...listed.input, required: ['token'] };

/** Edits of a connector after its release, each with the level that it requires and the problem that it must cause. */
const edits: readonly {
  title: string;
  edit: Edits;
  level: 'breaking' | 'additive' | 'internal' | undefined;
  broken?: RegExp;
}[] = [
  { title: 'an unchanged catalogue', edit: {}, level: undefined },
  {
    title: 'a changed description',
    edit: { [`${find}description`]: 'Finds a pet by one of its unique fields.' },
    level: 'internal',
  },
  { title: 'a changed example', edit: { [`${find}examples/0/input/id`]: '2' }, level: 'internal' },
  {
    title: 'a changed description of a field',
    edit: { [`${find}versions/0/input/properties/id/description`]: 'Which.' },
    level: 'internal',
  },
  {
    title: 'a changed base URL',
    edit: { 'pets/connector.json#/baseUrl': 'https://api.example.com' },
    level: 'internal',
  },
  {
    title: 'an added tool',
    edit: {
      'pets/tools/pets_wash.json': {
        ...(petsFiles['pets/tools/pets_ping.json'] as object),
        name: 'pets_wash',
      },
    },
    level: 'additive',
  },
  {
    title: 'an added connector',
    edit: { 'cats/connector.json': { ...(petsFiles['pets/connector.json'] as object), id: 'cats' } },
    level: 'additive',
  },
  {
    title: 'a removed tool',
    edit: { 'pets/tools/pets_ping.json': undefined },
    level: 'breaking',
    broken: /must stay callable/,
  },
  {
    title: 'a removed version',
    edit: { [`${rename}versions/1`]: undefined },
    level: 'breaking',
    broken: /must stay callable/,
  },
  {
    title: 'a released input that accepts less',
    edit: { [`${find}versions/0/input/properties/size/maximum`]: 8 },
    level: 'breaking',
    broken: /must not change/,
  },
  {
    title: 'a released input that accepts more',
    edit: { [`${find}versions/0/input/properties/size/maximum`]: 99 },
    level: 'additive',
    broken: /must not change/,
  },
  {
    title: 'a released output with an added field',
    edit: { [`${list}versions/0/output/properties/total`]: { type: 'integer' } },
    level: 'additive',
    broken: /must not change/,
  },
  {
    title: 'a released output with a removed field',
    edit: { [`${list}versions/0/output/properties/pets/items`]: { type: 'string' } },
    level: 'breaking',
    broken: /must not change/,
  },
  {
    title: 'a shared shape with a removed field',
    edit: {
      'pets/types.json#/$defs/Owner/properties/name': undefined,
      'pets/types.json#/$defs/Owner/required': undefined,
    },
    level: 'breaking',
    broken: /must not change/,
  },
  {
    title: 'a changed default',
    edit: { [`${find}versions/0/input/properties/size/default`]: 6 },
    level: 'breaking',
    broken: /must not change/,
  },
  {
    title: 'a changed request',
    edit: { [`${list}versions/0/request/path`]: '/animals' },
    level: 'internal',
    broken: /must not change/,
  },
  {
    title: 'a handler instead of a request',
    edit: { [`${list}versions/0/request`]: undefined, [`${list}versions/0/handler`]: true },
    level: 'internal',
    broken: /must not change/,
  },
  {
    title: 'removed paging',
    edit: { [`${list}versions/0/paging`]: undefined },
    level: 'breaking',
    broken: /must not change/,
  },
  {
    title: 'an added tool version',
    edit: { [`${list}versions/-`]: { ...listed, tool_version: '1.1.0', status: 'supported' } },
    level: 'additive',
  },
  {
    title: 'an added tool version with another contract',
    edit: {
      [`${list}versions/-`]: { ...listed, tool_version: '1.1.0', status: 'supported', input: tokenRequired },
    },
    level: 'breaking',
    broken: /another schema_version/,
  },
  {
    title: 'an added breaking contract with a minor version number',
    edit: {
      [`${list}versions/-`]: {
        ...listed,
        schema_version: '1.1.0',
        status: 'supported',
        input: tokenRequired,
      },
    },
    level: 'additive',
    broken: /breaking; raise the major number/,
  },
  {
    title: 'an added breaking contract with a major version number',
    edit: {
      [`${list}versions/-`]: {
        ...listed,
        schema_version: '2.0.0',
        status: 'supported',
        input: tokenRequired,
      },
    },
    level: 'additive',
  },
  {
    title: 'an added schema version with the same contract',
    edit: { [`${list}versions/-`]: { ...listed, schema_version: '2.0.0', status: 'supported' } },
    level: 'additive',
    broken: /use that schema_version/,
  },
  {
    title: 'a new current contract that accepts less',
    edit: {
      [`${list}versions/0/status`]: 'supported',
      [`${list}versions/-`]: { ...listed, schema_version: '2.0.0', input: tokenRequired },
      [`${list}examples/0/version`]: '1.0.0',
    },
    level: 'breaking',
  },
  {
    title: 'a new current contract that accepts more',
    edit: {
      'pets/tools/pets_ping.json#/versions/0/status': 'supported',
      'pets/tools/pets_ping.json#/versions/-': {
        ...ping,
        schema_version: '1.1.0',
        input: { ...ping.input, properties: { loud: { type: 'boolean', description: 'How.' } } },
        request: { method: 'GET', path: '/pets', query: { loud: '{loud}' } },
      },
    },
    level: 'additive',
  },
  {
    title: 'a deprecated old version',
    edit: { [`${rename}versions/1/status`]: 'deprecated' },
    level: 'additive',
  },
  {
    title: 'an older contract that becomes current',
    edit: {
      [`${rename}examples/0/version`]: '2.0.0',
      [`${rename}versions/1/status`]: 'current',
      [`${rename}versions/0/status`]: 'supported',
    },
    level: 'breaking',
  },
  {
    title: 'reordered versions',
    edit: {
      [`${rename}versions`]: [
        ...(petsFiles['pets/tools/pets_rename.json'] as { versions: unknown[] }).versions,
      ].reverse(),
    },
    level: 'internal',
  },
  {
    title: 'a reading tool that becomes a writing one',
    edit: { [`${list}hints/readOnly`]: false },
    level: 'breaking',
  },
  {
    title: 'a tool that becomes destructive',
    edit: { [`${rename}hints/destructive`]: true },
    level: 'breaking',
  },
  {
    title: 'a tool that becomes long-running',
    edit: { [`${list}hints/longRunning`]: true },
    level: 'internal',
  },
  { title: 'removed version inputs', edit: { [`${find}versionInputs`]: false }, level: 'breaking' },
  { title: 'a larger body limit', edit: { [`${list}bodyBytes`]: 3_000_000 }, level: 'additive' },
  { title: 'a smaller body limit', edit: { [`${find}bodyBytes`]: 2_000_000 }, level: 'breaking' },
  { title: 'a removed body limit', edit: { [`${find}bodyBytes`]: undefined }, level: 'breaking' },
  { title: 'added version inputs', edit: { [`${list}versionInputs`]: true }, level: 'additive' },
  {
    title: 'an added unused shape with another name',
    edit: { 'pets/types.json#/$defs/Keeper': { $ref: '#/$defs/Owner' } },
    level: undefined,
  },
];

test.each(edits)('$title: $level, $broken', ({ edit, level, broken }) => {
  const connectors = compareRelease(released, load(editFiles(petsFiles, edit)));
  const changes = connectors.flatMap((connector) => connector.changes);
  const report = JSON.stringify(changes, null, 2);

  expect(highestLevel(changes), report).toBe(level);
  const refused = changes.flatMap((change) => change.broken ?? []);
  if (broken === undefined) expect(refused, report).toEqual([]);
  else expect(refused.join('\n'), report).toMatch(broken);
});

test.each([
  { title: 'a first scope is required', was: [], is: ['read'], level: 'breaking' },
  { title: 'the last scope is removed', was: ['read'], is: [], level: 'additive' },
  { title: 'an alternative scope is added', was: ['read'], is: ['read', 'write'], level: 'additive' },
  {
    title: 'one of two alternative scopes is removed',
    was: ['read', 'write'],
    is: ['write'],
    level: 'breaking',
  },
  { title: 'the scopes are reordered', was: ['read', 'write'], is: ['write', 'read'], level: undefined },
])('scopes of a tool: $title', ({ was, is, level }) => {
  const [tool] = load(petsFiles).tools.values();
  const before = released.connectors['pets']?.tools[tool?.name ?? ''];
  if (tool === undefined || before === undefined) throw new Error('pets have no tools');

  expect(highestLevel(compareTraits({ ...before, scopes: was }, { ...tool, scopes: is }))).toBe(level);
});

describe('consecutive releases', () => {
  test('keep the first version and the hash of an entry', () => {
    const added = { ...listed, schema_version: '2.0.0', status: 'supported', input: tokenRequired };
    const next = editFiles(petsFiles, { [`${list}versions/-`]: added });
    const second = describeRelease(load(next), () => ({ package: '@svc/pets', version: '1.1.0' }), released);
    const entries = second.connectors['pets']?.tools['pets_list']?.entries ?? [];

    expect(entries.map(({ since, schema_version }) => [since, schema_version])).toEqual([
      ['1.0.0', '1.0.0'],
      ['1.1.0', '2.0.0'],
    ]);
    expect(entries[0]?.hash).toBe(released.connectors['pets']?.tools['pets_list']?.entries[0]?.hash);
    expect(compareRelease(second, load(next))).toEqual([]);
  });

  test('report a removed connector as a broken promise', () => {
    const cats = { 'cats/connector.json': { ...(petsFiles['pets/connector.json'] as object), id: 'cats' } };
    const both = release({ ...petsFiles, ...cats });

    expect(compareRelease(both, load(petsFiles))).toMatchObject([
      { id: 'cats', changes: [{ level: 'breaking', broken: expect.any(String) }] },
    ]);
  });
});
