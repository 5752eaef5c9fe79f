import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_STATUS } from '../../src/errors.js';
import { wordsOfPattern } from '../../src/text/text-forms.js';
import {
  fillPath,
  type OpenApi,
  type Operation,
  operationsOf,
  readOpenApi,
} from '../support/requests/operations.js';
import { watchRoutes } from '../support/requests/registered-routes.js';
import { fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

// Routes for browsers and for the operator's machines. All other routes must be documented.
const UNDOCUMENTED = [
  ...['/', '/dashboard', '/dashboard/{path}'].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
  'GET /openapi.json',
  'GET /approve/{token}',
  'POST /approve/{token}',
  'GET /connect/{token}',
  'POST /connect/{token}',
  'GET /connect/result/{linkId}',
  'GET /connect/ended/other-identifier',
  'GET /sso/v1/oauth/{connectionId}/callback',
  'GET /sso/v1/oauth/{connectionId}/client-metadata',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/mcp/{connector}',
  'GET /.well-known/oauth-protected-resource/mcp/apps/{applicationId}',
  'GET /.well-known/oauth-protected-resource/mcp/apps/{applicationId}/{connector}',
  'GET /.well-known/oauth-authorization-server/agents/{applicationId}',
  'GET /agents/{applicationId}/authorize',
  'GET /agents/{applicationId}/callback',
  'GET /agents/{applicationId}/consent/{token}',
  'POST /agents/{applicationId}/consent/{token}',
  'POST /agents/{applicationId}/token',
  'POST /agents/{applicationId}/register',
  'POST /agents/{applicationId}/revoke',
  'POST /hooks/{connectionId}/{key}',
  'GET /operator/v1/openapi.json',
  'GET /operator/v1/applications/{applicationId}/connect-page',
];
// Operations that bypass Fastify and have no route there.
const BYPASSING = ['POST /mcp', 'POST /mcp/{connector}'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const OPERATORS = '/operator/v1/';

const watched = watchRoutes();

let service: Service;
let documents: { readonly applications: OpenApi; readonly operators: OpenApi };
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const sorted = (names: readonly string[]) => [...names].sort();

beforeAll(async () => {
  service = await startService({ connectors: [], flags: ['--trusted-proxies', '127.0.0.1,::1'] });
  const { url } = service;
  const operator = await signInOperator({ url, ...(await service.app.operators.create('ada', 'owner')) });
  const ofOperators = await operator.call('GET', '/openapi.json');
  documents = { applications: await readOpenApi(url), operators: ofOperators.json() };
});

afterAll(async () => {
  watched.stop();
  await service.stop();
});

test('every response has the version of the service, on hot routes too', async () => {
  for (const path of ['/healthz', '/openapi.json', '/v1/connections', '/v1/proxy/calendar/ada/x', '/mcp'])
    expect((await fetchReply(service.url + path)).headers.get('svc-version')).toBe('0.0.0');
});

test('the document for applications describes how to get an access token, and operations outside /v1', () => {
  const { securitySchemes, security, paths } = {
    ...documents.applications,
    ...documents.applications.components,
  };
  expect(securitySchemes).toMatchObject({
    clientCredentials: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: `${service.url}/oauth/token` } },
    },
  });
  expect(security).toContainEqual({ clientCredentials: [] });
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/healthz', '/readyz', '/mcp', '/mcp/{connector}', '/oauth/token']),
  );
});

test('every pattern has an error text in words', () => {
  const patterns = new Set<string>();
  const note = (key: string, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  };
  for (const document of Object.values(documents)) {
    const requests = operationsOf(document).map(({ parameters, requestBody }) => [parameters, requestBody]);
    JSON.stringify(requests, note);
  }
  expect(patterns.size).toBeGreaterThan(4);
  expect([...patterns].filter((pattern) => wordsOfPattern(pattern) === undefined)).toEqual([]);
});

test('the documents list every route, separately for applications and operators', () => {
  const routes = watched.of(service.app.server).map(({ method, path }) => `${method} ${path}`);
  // Other methods are ignored, because the proxy registers routes for them only to refuse the request.
  const taken = routes.filter((route) => METHODS.includes(route.split(' ')[0] ?? ''));
  const hidden = taken.filter((route) => UNDOCUMENTED.includes(route));
  expect(sorted(hidden)).toEqual(sorted(UNDOCUMENTED));
  const documentable = taken.filter((route) => !UNDOCUMENTED.includes(route));
  const [ofOperators, others] = [true, false].map((isOf) =>
    documentable.filter((route) => route.includes(` ${OPERATORS}`) === isOf),
  );
  expect(sorted(operationsOf(documents.operators).map(nameOf))).toEqual(sorted(ofOperators ?? []));
  expect(sorted(operationsOf(documents.applications).map(nameOf))).toEqual(
    sorted([...(others ?? []), ...BYPASSING]),
  );
});

test('the document of the operator API requires an operator session', async () => {
  const application = await signIn(service);
  for (const reply of [
    await fetchReply(`${service.url}${OPERATORS}openapi.json`),
    await application.call('GET', `${OPERATORS}openapi.json`),
  ]) {
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([401, 'unauthorized']);
  }
});

const KEYED = [
  'PUT /v1/connections/{connectionName}/accounts/{identifier}',
  'POST /v1/connections',
  'POST /v1/connections/{connectionName}/accounts/{identifier}/authorization-link',
  'POST /v1/connections/{connectionName}/accounts/{identifier}/revoke',
  'POST /v1/accounts/{id}/revoke',
  'POST /v1/tools/{toolName}/execute',
  'POST /v1/agent-clients',
  'POST /v1/webhook-endpoints',
  'POST /v1/webhook-endpoints/{endpointId}/rotate-secret',
  'POST /v1/webhook-endpoints/{endpointId}/test',
  'POST /v1/deliveries/{deliveryId}/resend',
  'POST /v1/connections/{connectionName}/accounts/{identifier}/webhooks',
  'POST /v1/accounts/{id}/webhooks',
  'POST /v1/watches',
];
const KEYED_OF_APPLICATIONS = [
  'POST /v1/accounts/verify',
  'POST /v1/account-tokens',
  'POST /v1/agent-tokens',
];
const KEYED_OF_OPERATORS = ['POST /operator/v1/applications/{applicationId}/sandbox-connections'];

test('A13: the documents list Idempotency-Key exactly where it works', () => {
  const keyed = (document: OpenApi) =>
    operationsOf(document)
      .filter(({ parameters = [] }) =>
        parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key'),
      )
      .map(nameOf);
  expect(sorted(keyed(documents.applications))).toEqual(sorted([...KEYED, ...KEYED_OF_APPLICATIONS]));
  const inside = KEYED.map((name) => name.replace('/v1/', '/operator/v1/applications/{applicationId}/'));
  expect(sorted(keyed(documents.operators))).toEqual(sorted([...inside, ...KEYED_OF_OPERATORS]));
});

describe.each(['applications', 'operators'] as const)('the document of %s', (name) => {
  let document: OpenApi;
  let operations: readonly Operation[];
  beforeAll(() => {
    document = documents[name];
    operations = operationsOf(document);
  });

  test('is OpenAPI 3.1 of this service', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: expect.any(String) },
      servers: [{ url: service.url }],
    });
  });

  test('has a summary, a description, a known tag and described responses for every operation', () => {
    const known = document.tags.map((tag) => tag.name);
    for (const { summary, description, tags = [], responses } of operations) {
      expect(summary).toMatch(/^[A-Z].+[^.]$/);
      expect(description, summary).toMatch(/^[A-Z].+\.$/);
      expect(tags).toHaveLength(1);
      expect(known).toEqual(expect.arrayContaining([...tags]));
      expect(Object.keys(responses).length).toBeGreaterThan(0);
      for (const { description } of Object.values(responses)) expect(description).toMatch(/\S/);
    }
  });

  test('has a description for every tag, which at least one operation uses', () => {
    const used = new Set(operations.flatMap(({ tags = [] }) => tags));
    expect(sorted(document.tags.map((tag) => tag.name))).toEqual(sorted([...used]));
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].+\.$/);
  });

  test('has a unique operation id for every operation', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  test('declares exactly the path parameters as required', () => {
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const placeholders = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter = '']) => parameter);
      expect(sorted(inPath.map((parameter) => parameter.name))).toEqual(sorted(placeholders));
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  test('has no duplicate parameters', () => {
    for (const { parameters = [] } of operations) {
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('names only security schemes that exist', () => {
    const schemes = Object.keys(document.components.securitySchemes);
    for (const { security = document.security } of operations) {
      expect(schemes).toEqual(expect.arrayContaining(security.flatMap((scheme) => Object.keys(scheme))));
    }
  });

  test('describes other errors of every operation except the proxy', () => {
    expect(document.components.schemas).toHaveProperty('Error');
    for (const { path, responses } of operations) {
      const { schema } = responses['default']?.content?.['application/json'] ?? {};
      const isOther = path.startsWith('/v1/proxy/');
      expect(schema).toEqual(isOther ? undefined : document.components.schemas['Error']);
    }
  });

  test('has a description and an example for every parameter', () => {
    for (const { path, parameters = [] } of operations) {
      for (const { name: parameter, description, example } of parameters) {
        expect(description, `${parameter} of ${path}`).toMatch(/^[A-Za-z0-9].+\.$/);
        expect(example, `${parameter} of ${path}`).toBeDefined();
      }
    }
  });

  test('has a valid example for every request body, success response and parameter', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((holder) =>
        Object.values(holder?.content ?? {}).map((media) => ({ operationId, ...media })),
      ),
    );
    const withExample = bodies.filter(({ schema, example }) => schema !== undefined && example !== undefined);
    expect(withExample.length).toBeGreaterThan(operations.length);
    const parameters = operations.flatMap(({ operationId, parameters: own = [] }) =>
      own.map(({ schema, example }) => ({ operationId, schema, example })),
    );
    for (const { operationId, schema = {}, example } of [...withExample, ...parameters])
      expect(ajv.validate(schema, example), `${operationId}: ${ajv.errorsText()}`).toBe(true);
    for (const { operationId, requestBody, responses } of operations) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      for (const holder of [requestBody, ...successes.map(([, response]) => response)])
        for (const { example } of Object.values(holder?.content ?? {}))
          expect(example, operationId).toBeDefined();
    }
  });

  test('lists the error codes of every operation by their status, with valid examples', () => {
    const isError = new Ajv2020({ strict: false }).compile(document.components.schemas['Error'] ?? false);
    const statuses: Readonly<Record<string, number>> = ERROR_STATUS;
    for (const { operationId, path, responses } of operations) {
      const failures = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
      expect(failures.length, operationId).toBeGreaterThan(1);
      for (const [status, { content }] of failures) {
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        if (path === '/oauth/token' && status === '4XX') continue;
        expect(schema, `${operationId} ${status}`).toBeDefined();
        expect(Object.keys(examples).length).toBeGreaterThan(0);
        for (const [name, { value }] of Object.entries(examples)) {
          expect(isError(value), `${name} ${JSON.stringify(isError.errors)}`).toBe(true);
          if (name in statuses && /^\d+$/.test(status)) expect(statuses[name]).toBe(Number(status));
        }
      }
    }
  });

  test('contains each named schema once', () => {
    for (const [title, schema] of Object.entries(document.components.schemas))
      expect(schema).toHaveProperty('title', title);
    for (const { operationId, requestBody, responses } of operations)
      for (const { schema = {} } of Object.values({ ...requestBody?.content, ...responses['200']?.content }))
        if ('properties' in schema) expect(schema, operationId).toHaveProperty('title');
  });

  test('describes the errors of the token endpoint as in RFC 6749', () => {
    for (const { path, responses } of operations) {
      const { schema } = responses['4XX']?.content?.['application/json'] ?? {};
      if (path === '/oauth/token') expect(schema).toMatchObject({ required: ['error', 'error_description'] });
    }
  });

  test('has valid JSON Schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    const schemas = operations.flatMap(({ parameters = [], requestBody, responses }) => [
      ...parameters.map(({ schema }) => schema),
      ...[requestBody, ...Object.values(responses)]
        .flatMap((holder) => Object.values(holder?.content ?? {}))
        .map(({ schema }) => schema),
    ]);
    expect(schemas.length).toBeGreaterThan(operations.length);
    for (const schema of schemas) {
      expect(schema).toBeTypeOf('object');
      expect(schema && ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    }
  });
});

// The service does not validate its own schemas (see listener/request-validator.ts), so this test does.
test('every route has valid JSON Schemas, including browser routes', () => {
  const ajv = new Ajv();
  const routes = watched.of(service.app.server);
  const schemas = routes.flatMap(({ parameters, body }) => [...parameters.map(({ schema }) => schema), body]);
  expect(schemas.length).toBeGreaterThan(routes.length);
  for (const schema of schemas)
    expect(ajv.validateSchema(schema ?? true), JSON.stringify([schema, ajv.errors])).toBe(true);
  expect(ajv.validateSchema({ type: 'texts' })).toBe(false);
});

const VALUES = {
  connectionName: 'calendar',
  identifier: 'ada',
  id: 'acct_1',
  name: 'calendar',
  toolName: 'calendar_list_events',
  path: 'v1',
  executionId: 'exec_1',
  approvalId: 'appr_1',
  accountTokenId: 'tok_1',
  agentTokenId: 'tok_2',
  agentClientId: 'client_1',
  agentGrantId: 'grant_1',
  endpointId: 'ep_1',
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  subscriptionId: 'sub_1',
  watchId: 'watch_1',
  connector: 'calendar',
};

test.each([
  { title: 'without a token', headers: {} },
  { title: 'with an invalid token', headers: { authorization: 'Bearer svc_at_none' } },
  { title: 'with a password', headers: { authorization: `Basic ${btoa('app_test:secret')}` } },
])('every operation of applications except the token endpoint responds 401 $title', async ({ headers }) => {
  const isError = new Ajv2020().compile(documents.applications.components.schemas['Error'] ?? false);
  const operations = operationsOf(documents.applications);
  const needsNone = operations.filter(({ security }) => security !== undefined);
  expect(sorted(needsNone.map(nameOf))).toEqual(['GET /healthz', 'GET /readyz', 'POST /oauth/token']);
  for (const [index, operation] of operations.filter(({ security }) => security === undefined).entries()) {
    const url = service.url + fillPath(operation.path, VALUES);
    // Each request comes from a different address, because the service limits an address after 30 failed
    // authentications.
    const from = { 'x-forwarded-for': `192.0.2.${index}` };
    const reply = await fetchReply(url, { method: operation.method, headers: { ...headers, ...from } });
    expect({ name: nameOf(operation), status: reply.status }).toEqual({
      name: nameOf(operation),
      status: 401,
    });
    expect(reply.headers.get('svc-error')).toBe('unauthorized');
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    if (operation.method === 'HEAD') continue;
    expect(isError(reply.json()), JSON.stringify(isError.errors)).toBe(true);
  }
});

test('docs/guides/http-api.md names every operation of an application', () => {
  const guide = readFileSync(new URL('../../../docs/guides/http-api.md', import.meta.url), 'utf8');
  const missing = Object.keys(documents.applications.paths).filter((path) => {
    const [collection = ''] = path.split('/{', 1);
    const [, action = ''] = /\}(\/[a-z-]+)$/.exec(path) ?? [];
    return !guide.includes(collection) || !guide.includes(action);
  });
  expect(missing).toEqual([]);
});
