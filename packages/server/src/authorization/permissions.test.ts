import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { keyFormOf } from './permissions.js';

const { connectors } = loadCatalog();

test.each([
  { id: 'convintel', isTried: true },
  { id: 'scrapermcp', isTried: true },
  { id: 'network', isTried: false },
])('the form for a key of $id knows whether the key is tried: $isTried', ({ id, isTried }) => {
  const connector = connectors.get(id);
  expect(connector && keyFormOf(connector)).toMatchObject({ isTried });
});
