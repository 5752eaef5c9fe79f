import type { Identity } from '@svc/catalog';
import { expect, test } from 'vitest';
import { connectedAsIn, readConnectedAs } from './connected-as.js';

const IDENTITY: Identity = {
  from: 'verify',
  name: ['/data/email', '/names/0', '/a~1b/c~0d'],
  workspace: ['/team'],
  picture: ['/picture'],
};

test.each<{ title: string; document: unknown; names: unknown }>([
  {
    title: 'the first text',
    document: { data: { email: 'ada@x.example' } },
    names: { name: 'ada@x.example' },
  },
  { title: 'a place in a list', document: { data: {}, names: ['Ada'] }, names: { name: 'Ada' } },
  { title: 'escaped names', document: { 'a/b': { 'c~d': 'Ada' } }, names: { name: 'Ada' } },
  { title: 'a workspace alone', document: { team: 'Engines' }, names: { workspace: 'Engines' } },
  {
    title: 'an https picture',
    document: { picture: 'https://x.example/a.png' },
    names: { pictureUrl: 'https://x.example/a.png' },
  },
  { title: 'no other picture', document: { picture: 'javascript:alert(1)' }, names: undefined },
  {
    title: 'no long picture',
    document: { picture: `https://x.example/${'a'.repeat(2048)}` },
    names: undefined,
  },
  {
    title: 'no empty text, number or NUL',
    document: { data: { email: '' }, names: [7], team: '\0' },
    names: undefined,
  },
  { title: 'nothing inherited', document: Object.create({ team: 'Engines' }), names: undefined },
  { title: 'nothing of a text', document: 'Ada', names: undefined },
  { title: 'no reversed text', document: { team: 'a\u202eb\nc' }, names: { workspace: 'a\\u202eb\\u000ac' } },
])('reads $title', ({ document, names }) => {
  expect(connectedAsIn(readConnectedAs(IDENTITY, document))).toEqual(names);
});

test('cuts a long name', () => {
  const found = connectedAsIn(readConnectedAs(IDENTITY, { team: 'a'.repeat(10_000) }));
  expect(found).toEqual({ workspace: `${'a'.repeat(200)}…` });
});
