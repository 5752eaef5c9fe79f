import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { type Edits, editFiles } from '../../test/edit-files.js';
import { petsFiles, temporaryFolder, writeFiles } from '../../test/fixture.js';
import { compareRelease } from './compare-release.js';
import { describeRelease } from './describe-release.js';

const load = (files: Readonly<Record<string, unknown>>) =>
  loadCatalog({ builtIn: false, folders: [writeFiles(temporaryFolder(), files)] });
const filter = { type: 'object', additionalProperties: true, description: 'What is wanted.' };
const files = editFiles(petsFiles, {
  'pets/types.json#/$defs/Filter': filter,
  'pets/types.json#/$defs/Unused': { ...filter },
  'pets/tools/pets_find.json#/versions/0/input/properties/filter': { $ref: 'types.json#/$defs/Filter' },
});
const released = describeRelease(load(files), () => ({ package: '@svc/pets', version: '1.0.0' }));

const ping = petsFiles['pets/tools/pets_ping.json'] as { versions: [object] };
const list = 'pets/tools/pets_list.json#/versions/';
const [listed] = (petsFiles['pets/tools/pets_list.json'] as { versions: [{ paging: object }] }).versions;
const byLink = { ...listed.paging, link: 'token' };

const edits: readonly { title: string; edit: Edits; expected: readonly (readonly string[])[] }[] = [
  { title: 'reports no change for an unchanged catalogue', edit: {}, expected: [] },
  {
    title: 'reports a changed description of a shape as internal',
    edit: { 'pets/types.json#/$defs/Filter/description': 'What they look for.' },
    expected: [['internal', 'types']],
  },
  {
    title: 'ignores a changed description of an unused shape',
    edit: { 'pets/types.json#/$defs/Unused/description': 'Nothing.' },
    expected: [],
  },
  {
    title: 'ignores the removal of an unused shape',
    edit: { 'pets/types.json#/$defs/Unused': undefined },
    expected: [],
  },
  {
    title: 'reports as breaking that an input shape is also used in results, because its type is renamed',
    edit: {
      'pets/tools/pets_wash.json': {
        ...ping,
        name: 'pets_wash',
        versions: [{ ...ping.versions[0], output: { $ref: 'types.json#/$defs/Filter' } }],
      },
    },
    expected: [
      ['breaking', 'types.Filter'],
      ['additive', 'pets_wash'],
    ],
  },
  {
    title: 'reports a renamed shape as breaking',
    edit: {
      'pets/types.json#/$defs/Filter': undefined,
      'pets/types.json#/$defs/Wanted': filter,
      'pets/tools/pets_find.json#/versions/0/input/properties/filter': { $ref: 'types.json#/$defs/Wanted' },
    },
    expected: [
      ['breaking', 'types.Filter'],
      ['internal', 'pets_find'],
    ],
  },
  {
    title: 'forbids changing how a released entry finds the next page',
    edit: { [`${list}0/paging`]: byLink },
    expected: [
      ['internal', 'pets_list 1.0.0 paging'],
      ['internal', 'pets_list 1.0.0', 'not allowed'],
    ],
  },
  {
    title: 'allows a new tool version with another paging method',
    edit: {
      [`${list}-`]: { ...listed, paging: byLink, tool_version: '1.1.0', status: 'supported' },
    },
    expected: [['additive', 'pets_list 1.0.0 (1.1.0)']],
  },
];

test.each(edits)('$title', ({ edit, expected }) => {
  const changes = compareRelease(released, load(editFiles(files, edit))).flatMap(
    (connector) => connector.changes,
  );
  expect(
    changes.map(({ level, where, broken }) => [
      level,
      where,
      ...(broken === undefined ? [] : ['not allowed']),
    ]),
    JSON.stringify(changes, null, 2),
  ).toEqual(expected);
});
