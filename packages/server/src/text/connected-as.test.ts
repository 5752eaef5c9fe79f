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
    title: 'the first string',
    document: { data: { email: 'ada@x.example' } },
    names: { name: 'ada@x.example' },
  },
  { title: 'an item of a list', document: { data: {}, names: ['Ada'] }, names: { name: 'Ada' } },
  { title: 'escaped names', document: { 'a/b': { 'c~d': 'Ada' } }, names: { name: 'Ada' } },
  { title: 'only a workspace', document: { team: 'Engines' }, names: { workspace: 'Engines' } },
  {
    title: 'an https picture',
    document: { picture: 'https://x.example/a.png' },
    names: { pictureUrl: 'https://x.example/a.png' },
  },
  { title: 'no picture with another scheme', document: { picture: 'javascript:alert(1)' }, names: undefined },
  {
    title: 'no picture with a long URL',
    document: { picture: `https://x.example/${'a'.repeat(2048)}` },
    names: undefined,
  },
  {
    title: 'no empty string, number or NUL',
    document: { data: { email: '' }, names: [7], team: '\0' },
    names: undefined,
  },
  { title: 'no inherited property', document: Object.create({ team: 'Engines' }), names: undefined },
  { title: 'no name in a string document', document: 'Ada', names: undefined },
  {
    title: 'escaped bidi characters',
    document: { team: 'a\u202eb\nc' },
    names: { workspace: 'a\\u202eb\\u000ac' },
  },
])('the connected user is read from a document: $title', ({ document, names }) => {
  expect(connectedAsIn(readConnectedAs(IDENTITY, document))).toEqual(names);
});

test('a long name is truncated', () => {
  const identity = connectedAsIn(readConnectedAs(IDENTITY, { team: 'a'.repeat(10_000) }));
  expect(identity).toEqual({ workspace: `${'a'.repeat(200)}…` });
});
