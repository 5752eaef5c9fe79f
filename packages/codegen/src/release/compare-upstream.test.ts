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
  { title: 'another title', before: {}, after: { title: 'All pets' }, levels: ['internal'] },
  { title: 'another way to authorize', before: {}, after: oauth(), levels: ['breaking'] },
  { title: 'a scope more', before: oauth(), after: oauth(scope('read')), levels: ['additive'] },
  { title: 'a scope less', before: oauth(scope('read')), after: oauth(), levels: ['breaking'] },
  {
    title: 'a scope that is asked for no more',
    before: oauth(scope('read', true)),
    after: oauth(scope('read')),
    levels: ['breaking'],
  },
  {
    title: 'a scope that is asked for',
    before: oauth(scope('read')),
    after: oauth(scope('read', true)),
    levels: ['additive'],
  },
  { title: 'another credential', before: key('a'), after: key('b'), levels: ['breaking', 'additive'] },
  { title: 'a region less', before: regions('a', 'b', 'c'), after: regions('a', 'b'), levels: ['breaking'] },
  { title: 'routes where all paths were taken', before: {}, after: routes(get), levels: ['breaking'] },
  { title: 'all paths where routes were', before: routes(get), after: {}, levels: ['additive'] },
  {
    title: 'a route less',
    before: routes(get, { path: '/v2/' }),
    after: routes({ path: '/v2/' }),
    levels: ['breaking'],
  },
  {
    title: 'a route for more methods',
    before: routes(get),
    after: routes({ path: '/v1/' }),
    levels: ['additive'],
  },
  {
    title: 'a route for fewer methods',
    before: routes({ path: '/v1/' }),
    after: routes(get),
    levels: ['breaking'],
  },
])('connector.json with $title: $levels', ({ before, after, levels }) => {
  const released = describeRelease(load(before), () => ({ package: '@svc/pets', version: '1.0.0' }));
  const found = compareRelease(released, load(after)).flatMap(({ changes }) => changes);
  expect(found.map(({ level }) => level)).toEqual(levels);
  expect(compareRelease(released, load(before))).toEqual([]);
});
