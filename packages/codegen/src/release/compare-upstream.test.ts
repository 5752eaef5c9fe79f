import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { petsFiles, temporaryFolder, writeFiles } from '../../test/fixture.js';
import { compareRelease } from './compare-release.js';
import { describeRelease } from './describe-release.js';

const file = petsFiles['pets/connector.json'] as { readonly auth: { readonly inject: object } };
const load = (part: object) =>
  loadCatalog({
    builtIn: false,
    folders: [writeFiles(temporaryFolder(), { ...petsFiles, 'pets/connector.json': { ...file, ...part } })],
  });

const { inject } = file.auth;
const scope = (name: string, isDefault = false) => ({ name, description: 'For tests.', default: isDefault });
const oauth = (...scopes: readonly object[]) => ({
  auth: {
    type: 'oauth2',
    authorizationEndpoint: 'https://pets.example.com/authorize',
    tokenEndpoint: 'https://pets.example.com/token',
    scopes,
    inject,
  },
});
const key = (...names: readonly string[]) => ({
  hosts: Object.fromEntries(
    names.map((name) => [name, { baseUrl: `https://${name}.example.com`, credential: name }]),
  ),
  auth: {
    type: 'api_key',
    inject,
    credentials: names.map((name) => ({ name, title: name, description: 'For tests.' })),
  },
});
const regions = (...names: readonly string[]) => ({
  regions: Object.fromEntries(names.map((name) => [name, `https://${name}.example.com`])),
});
const routes = (...all: readonly object[]) => ({ proxy: { routes: all } });
const get = { methods: ['GET'], path: '/v1/' };

test.each([
  { title: 'a changed title', before: {}, after: { title: 'All pets' }, levels: ['internal'] },
  { title: 'a changed auth type', before: {}, after: oauth(), levels: ['breaking'] },
  { title: 'an added scope', before: oauth(), after: oauth(scope('read')), levels: ['additive'] },
  { title: 'a removed scope', before: oauth(scope('read')), after: oauth(), levels: ['breaking'] },
  {
    title: 'a scope that is no longer requested by default',
    before: oauth(scope('read', true)),
    after: oauth(scope('read')),
    levels: ['breaking'],
  },
  {
    title: 'a scope that is now requested by default',
    before: oauth(scope('read')),
    after: oauth(scope('read', true)),
    levels: ['additive'],
  },
  { title: 'a replaced credential', before: key('a'), after: key('b'), levels: ['breaking', 'additive'] },
  {
    title: 'a removed region',
    before: regions('a', 'b', 'c'),
    after: regions('a', 'b'),
    levels: ['breaking'],
  },
  { title: 'routes that replace access to all paths', before: {}, after: routes(get), levels: ['breaking'] },
  { title: 'access to all paths instead of routes', before: routes(get), after: {}, levels: ['additive'] },
  {
    title: 'a removed route',
    before: routes(get, { path: '/v2/' }),
    after: routes({ path: '/v2/' }),
    levels: ['breaking'],
  },
  {
    title: 'a route with more methods',
    before: routes(get),
    after: routes({ path: '/v1/' }),
    levels: ['additive'],
  },
  {
    title: 'a route with fewer methods',
    before: routes({ path: '/v1/' }),
    after: routes(get),
    levels: ['breaking'],
  },
])('connector.json with $title: $levels', ({ before, after, levels }) => {
  const released = describeRelease(load(before), () => ({ package: '@svc/pets', version: '1.0.0' }));
  const changes = compareRelease(released, load(after)).flatMap((connector) => connector.changes);
  expect(changes.map(({ level }) => level)).toEqual(levels);
  expect(compareRelease(released, load(before))).toEqual([]);
});
