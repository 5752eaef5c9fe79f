import { expect, test } from 'vitest';
import { type Files, loadPets, pets, toolFile, version } from '../../test/fixture.js';
import type { JsonObject } from '../json-schema.js';

const CREDENTIALS = [{ name: 'vet_token', title: 'Vet token', description: 'Of the vet service.' }];
const HOSTS = { vet: { baseUrl: 'https://vet.example.com', credential: 'vet_token' } };
const auth = { ...pets.auth, credentials: CREDENTIALS };
const whole = { ...pets, auth, hosts: HOSTS };
const text = { type: 'string' };

const connector = (rest: JsonObject): Files => ({ 'connector.json': { ...whole, ...rest } });
const routes = (...list: JsonObject[]) => connector({ proxy: { routes: list } });
const tool = (versions: JsonObject, rest: JsonObject = {}): Files => ({
  ...connector({}),
  'tools/pets_list.json': toolFile('pets_list', [versions], rest),
});
const requestVersion = (request: JsonObject, properties: JsonObject = {}) =>
  version(
    { properties, required: Object.keys(properties) },
    { request: { method: 'GET', path: '/', ...request } },
  );

test('returns hosts, regions, routes and secondary credentials with defaults filled in', () => {
  const files = connector({
    regions: { us: 'https://us.example.com', eu: 'https://eu.example.com' },
    proxy: {
      routes: [
        { path: '/pets/', to: '/v1/pets/' },
        { path: '/vets', host: 'vet' },
      ],
    },
  });
  expect(loadPets(files).connectors.get('pets')).toMatchObject({
    regions: { eu: 'https://eu.example.com' },
    hosts: { vet: { ...HOSTS.vet, headers: {} } },
    auth: { credentials: CREDENTIALS },
    proxy: { routes: [{ to: '/v1/pets/' }, { host: 'vet' }] },
  });
  const plain = loadPets({ 'connector.json': pets }).connectors.get('pets');
  expect(plain).toMatchObject({ hosts: {}, auth: { credentials: [] } });
});

test('returns the authorization of an MCP server with default scopes', () => {
  const mcp = { mcp: { path: '/mcp' }, auth: { type: 'mcp_oauth', inject: pets.auth.inject } };
  const files = { 'connector.json': { ...pets, ...mcp } };
  expect(loadPets(files).connectors.get('pets')).toMatchObject({
    mcp: { path: '/mcp' },
    auth: { scopes: [] },
  });
});

test.each<{ title: string; files: Files; problem: string }>([
  {
    title: 'a host with an undeclared credential',
    files: connector({ auth: pets.auth }),
    problem: 'hosts.vet.credential: "vet_token" is not declared in "auth.credentials"',
  },
  {
    title: 'a credential that no host receives',
    files: connector({ hosts: {} }),
    problem: 'auth.credentials[0]: no host uses the credential "vet_token"',
  },
  {
    title: 'two credentials with the same name',
    files: connector({ auth: { ...auth, credentials: [...CREDENTIALS, ...CREDENTIALS] } }),
    problem: 'auth.credentials[1]: the credential "vet_token" is declared twice',
  },
  {
    title: 'mcp_oauth without an MCP server',
    files: connector({ auth: { type: 'mcp_oauth', inject: pets.auth.inject }, hosts: {} }),
    problem: 'auth.type: "mcp_oauth" needs an MCP endpoint',
  },
  {
    title: 'a verify request to an unknown host',
    files: connector({ verify: [{ path: '/me', host: 'cats' }] }),
    problem: 'verify[0].host: "cats" is not declared in "hosts"',
  },
  {
    title: 'two verify requests for one credential',
    files: connector({ verify: [{ path: '/me' }, { path: '/you' }] }),
    problem: 'verify[1]: another request tests the same credential',
  },
  {
    title: 'an identity from verify without a verify request for the key',
    files: connector({
      verify: [{ path: '/me', host: 'vet' }],
      identity: { from: 'verify', name: ['/name'] },
    }),
    problem: 'identity.from: "verify" needs keys in "auth"',
  },
  {
    title: 'a token_response identity on a connector with API keys',
    files: connector({ identity: { from: 'token_response', name: ['/name'] } }),
    problem: 'identity.from: "token_response" needs "oauth2" as "auth.type"',
  },
  {
    title: 'an identity without a path',
    files: connector({ identity: { from: 'id_token' } }),
    problem: 'identity: ',
  },
  {
    title: 'an error rule with rejectsInput for an upstream failure',
    files: connector({ errors: [{ status: 500, rejectsInput: true }] }),
    problem: 'errors[0]: "rejectsInput" needs a status below 500',
  },
  {
    title: 'an error rule about scopes on a connector with API keys',
    files: connector({ errors: [{ status: 403, demandsScope: true }] }),
    problem: 'errors[0]: "demandsScope" needs "oauth2" as "auth.type"',
  },
  {
    title: 'a route to an unknown host',
    files: routes({ path: '/vets/', host: 'cats' }),
    problem: 'proxy.routes[0].host: "cats" is not declared in "hosts"',
  },
  {
    title: 'a route from a prefix to a whole path',
    files: routes({ path: '/vets/', to: '/v1/vets' }),
    problem: 'proxy.routes[0].to: "path" and "to" must both end with',
  },
  {
    title: 'a route from a whole path to a prefix',
    files: routes({ path: '/vets', to: '/v1/vets/' }),
    problem: 'proxy.routes[0].to: "path" and "to" must both end with',
  },
  {
    title: 'a request to an unknown host',
    files: tool(requestVersion({ host: 'cats' })),
    problem: 'versions[0].request.host: "cats" is not a host of the connector',
  },
  {
    title: 'an example that sends to an unknown host',
    files: tool(version({}), {
      examples: [{ title: 'All', input: {}, requests: [{ method: 'GET', path: '/', host: 'constructor' }] }],
    }),
    problem: 'examples[0].requests[0].host: "constructor" is not a host of',
  },
  {
    title: 'an MCP tool without an MCP server',
    files: tool(version({}, { request: undefined, mcp: { tool: 'list' } })),
    problem: 'versions[0].mcp: connector.json names no MCP endpoint',
  },
  {
    title: 'a secret that is not a string',
    files: tool(
      version({ properties: { token: { type: 'object', additionalProperties: true, writeOnly: true } } }),
    ),
    problem: 'versions[0].input.properties.token.writeOnly: a secret must be a string without a default',
  },
  {
    title: 'a secret with a default',
    files: tool(version({ properties: { token: { ...text, writeOnly: true, default: 'x' } } })),
    problem: 'versions[0].input.properties.token.writeOnly: a secret must be a string without a default',
  },
  {
    title: 'a secret in a query',
    files: tool(requestVersion({ query: { t: '{token}' } }, { token: { ...text, writeOnly: true } })),
    problem: 'versions[0].request.query.t: a URL must not contain a secret',
  },
  {
    title: 'a secret in a path',
    files: tool(requestVersion({ path: '/{token}' }, { token: { ...text, writeOnly: true } })),
    problem: 'versions[0].request.path: a URL must not contain a secret',
  },
])('refuses $title', ({ files, problem }) => {
  expect(() => loadPets(files)).toThrow(problem);
});
