import { expect, test } from 'vitest';
import { loadPets, pets, toolFile, version } from '../../test/fixture.js';
import { loadCatalog } from './load-catalog.js';

const list = (versions = [version({})], rest = {}) => ({
  'tools/pets_list.json': toolFile('pets_list', versions, rest),
});

test('loads the built-in connectors with valid schemas and examples', () => {
  const catalog = loadCatalog({ checkExamples: true, now: () => new Date('2026-11-20T12:00:00Z') });
  expect(catalog.connectors.size).toBeGreaterThan(0);
});

test('returns sorted connectors and tools with defaults filled in', () => {
  const get = toolFile('pets_get', [version({})]);
  const catalog = loadPets({ ...list(), 'tools/pets_get.json': get });
  expect([...catalog.tools.keys()]).toEqual(['pets_get', 'pets_list']);
  expect(catalog.connectors.get('pets')).toMatchObject({
    headers: {},
    errors: [],
    retry: { attempts: 3, baseMs: 1000, capMs: 20000 },
    tools: [
      {
        name: 'pets_get',
        connector: 'pets',
        scopes: [],
        versionInputs: false,
        hints: { longRunning: false },
      },
      { name: 'pets_list' },
    ],
  });
});

test('reads files with a byte order mark', () => {
  const marked = `\uFEFF${JSON.stringify(pets)}`;
  expect(loadPets({ ...list(), 'connector.json': marked }).connectors.has('pets')).toBe(true);
});

test('fills in the defaults of an OAuth connector', () => {
  const auth = {
    type: 'oauth2',
    authorizationEndpoint: 'https://pets.example.com/authorize',
    tokenEndpoint: 'https://pets.example.com/token',
    inject: { header: 'authorization', value: 'Bearer {credential}' },
    scopes: [{ name: 'read', description: 'Read pets' }],
  };
  const catalog = loadPets({ ...list(), 'connector.json': { ...pets, auth } });
  expect(catalog.connectors.get('pets')?.auth).toMatchObject({
    authorizationParameters: {},
    tokenRequest: { body: 'form', clientAuthentication: 'body', headers: {} },
    scopes: [{ name: 'read', default: false }],
  });
});
