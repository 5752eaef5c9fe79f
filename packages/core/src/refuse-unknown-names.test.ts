import { expect, test } from 'vitest';
import { credentials, fakeService, json } from '../test/fake-service.js';
import { createClient } from './create-client.js';
import { manage } from './manage.js';
import { narrowToken } from './narrow-token.js';

// Calls of plain JavaScript, which gets no error from a compiler.
const { svc, requests } = fakeService([]);
const account = { connectionName: 'calendar', identifier: 'user_42' };
const LIST_TOOLS = { method: 'GET', path: '/v1/tools' };
const untyped = <Value>(value: unknown): Value => value as Value;

const cases: { title: string; run: () => unknown; texts: readonly string[] }[] = [
  ...(
    [
      ['baseUrl', 'environmentUrl'],
      ['baseURL', 'environmentUrl'],
      ['environmentURL', 'environmentUrl'],
      ['client_id', 'clientId'],
      ['secret', 'clientSecret'],
      ['token', 'accessToken'],
      ['timeOut', 'timeout'],
      ['timeoutMs', 'timeout'],
      ['retries', 'maxRetries'],
      ['colour', 'environmentUrl, clientId'],
    ] as const
  ).map(([name, meant]) => ({
    title: `createClient({ ${name} })`,
    run: () => createClient(untyped({ ...credentials, [name]: 'x' })),
    texts: ['createClient()', `"${name}"`, meant],
  })),
  ...(
    [
      ['timeout', 'abc', 'number'],
      ['maxRetries', 'x', 'number'],
      ['fetch', 'x', 'function'],
      ['headers', 'x', 'object'],
      ['accessToken', { token: 'x', expiresAt: '2026-12-01T09:00:00Z' }, 'string or function'],
    ] as const
  ).map(([name, value, type]) => ({
    title: `createClient({ ${name} }) with a value of a wrong type`,
    run: () => createClient(untyped({ ...credentials, [name]: value })),
    texts: [`createClient() needs a ${type} as "${name}".`],
  })),
  {
    title: 'a timeout of a call that is text',
    run: () => svc.call(LIST_TOOLS, untyped({ timeout: '5' })),
    texts: ['A call needs a number as "timeout".'],
  },
  {
    title: 'withOptions({ maxRetries }) with text',
    run: () => svc.withOptions(untyped({ maxRetries: '5' })),
    texts: ['withOptions() needs a number as "maxRetries".'],
  },
  ...(
    [
      ['identifer', 'identifier'],
      ['conectionName', 'connectionName'],
      ['sucessUrl', 'successUrl'],
    ] as const
  ).map(([name, meant]) => ({
    title: `getAuthorizationLink({ ${name} })`,
    run: () => svc.getAuthorizationLink(untyped({ ...account, [name]: 'x' })),
    texts: [`Did you mean "${meant}"?`],
  })),
  {
    title: 'an option of a call',
    run: () => svc.call(LIST_TOOLS, untyped({ timeOut: 5 })),
    texts: ['"timeOut"', 'Did you mean "timeout"?'],
  },
  {
    title: 'call({ url })',
    run: () => svc.call(untyped({ method: 'GET', url: '/v1/tools' })),
    texts: ['call()', '"url"', 'path'],
  },
  {
    title: 'a string instead of an account',
    run: () => svc.getAuthorizationLink(untyped('user_42')),
    texts: ['getAuthorizationLink()', 'connectionName, identifier'],
  },
  {
    title: 'an id instead of a reference to an account',
    run: () => manage(svc).accounts.get(untyped('acct_1')),
    texts: ['accounts', 'connectionName, identifier'],
  },
  {
    title: 'accounts.get({ connection, userId })',
    run: () => manage(svc).accounts.get(untyped({ connection: 'calendar', userId: 'u' })),
    texts: ['Did you mean "connectionName"?'],
  },
  {
    title: 'an option of withOptions()',
    run: () => svc.withOptions(untyped({ clientId: 'x' })),
    texts: ['withOptions()', '"clientId"'],
  },
  {
    title: 'getAuthorizationLink({ connection, userId })',
    run: () => svc.getAuthorizationLink(untyped({ connection: 'calendar', userId: 'u' })),
    texts: ['getAuthorizationLink()', 'Did you mean "connectionName"?', 'identifier', 'successUrl'],
  },
  {
    title: 'getAuthorizationLink({ userId })',
    run: () => svc.getAuthorizationLink(untyped({ connectionName: 'calendar', userId: 'u' })),
    texts: ['Did you mean "identifier"?'],
  },
  {
    title: 'getAuthorizationLink({ successURL })',
    run: () => svc.getAuthorizationLink(untyped({ ...account, successURL: 'https://x.example' })),
    texts: ['"successURL"', 'Did you mean "successUrl"?'],
  },
  {
    title: 'getAuthorizationLink() without an account',
    run: () => svc.getAuthorizationLink(untyped(undefined)),
    texts: ['connectionName, identifier'],
  },
  {
    title: 'getAuthorizationLink() without an identifier',
    run: () => svc.getAuthorizationLink(untyped({ connectionName: 'calendar' })),
    texts: ['needs connectionName and identifier'],
  },
  {
    title: 'getAuthorizationLink({ identifier }) with a number',
    run: () => svc.getAuthorizationLink(untyped({ ...account, identifier: 42 })),
    texts: ['getAuthorizationLink() needs a string as "identifier".'],
  },
  ...(
    [
      ['readonly', 'readOnly'],
      ['max_calls', 'maxCalls'],
      ['expiresAt', 'expiresIn'],
    ] as const
  ).map(([name, meant]) => ({
    title: `narrowToken({ ${name} })`,
    run: () => narrowToken(`svc_nt_tok_1.e30.${'x'.repeat(43)}`, untyped<{ maxCalls: 1 }>({ [name]: 1 })),
    texts: ['narrowToken()', `Did you mean "${meant}"?`],
  })),
  {
    title: 'getOrCreateConnectedAccount({ apikey })',
    run: () => svc.getOrCreateConnectedAccount(untyped({ ...account, apikey: 'x' })),
    texts: ['Did you mean "apiKey"?'],
  },
  {
    title: 'executeTool({ tool })',
    run: () => svc.executeTool<string>(untyped({ tool: 'x', input: {}, connectedAccountId: 'a' })),
    texts: ['executeTool()', 'Did you mean "toolName"?'],
  },
  {
    title: 'request({ params })',
    run: () => svc.request(untyped({ ...account, path: '/', method: 'GET', params: {} })),
    texts: ['request()', 'Did you mean "queryParams"?'],
  },
  {
    title: 'request() without a method',
    run: () => svc.request(untyped({ ...account, path: '/x' })),
    texts: ['undefined /v1/proxy/calendar/user_42/x is not valid. Pass names that are not empty'],
  },
  {
    title: 'call() without a method',
    run: () => svc.call(untyped({ path: '/v1/tools' })),
    texts: ['undefined /v1/tools is not valid'],
  },
  {
    title: 'call() without a path',
    run: () => svc.call(untyped({ method: 'GET' })),
    texts: ['GET undefined is not valid'],
  },
  {
    title: 'an AbortController instead of its signal',
    run: () => svc.call(LIST_TOOLS, untyped({ signal: new AbortController() })),
    texts: ['AbortSignal'],
  },
];

test.each(cases)('refuses $title before anything is sent', async ({ run, texts }) => {
  const error = await Promise.resolve()
    .then(run)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_request' });
  for (const part of texts) expect(String(error)).toContain(part);
  expect(requests).toEqual([]);
});

test('treats an option with the value null as absent', async () => {
  const { svc: withNull } = fakeService([() => json({})], untyped({ clientId: null, timeout: null }));
  expect(await withNull.call(LIST_TOOLS)).toEqual({});
});

test('accepts the fields of a TanStack Query context, and names none of them', async () => {
  const given = untyped<object>({ client: {}, meta: {}, mutationKey: [], colour: 1 });
  const error = await svc.call(LIST_TOOLS, given).catch(String);
  expect(error).toContain('A call does not accept "colour". It accepts signal, timeout,');
  expect(error).not.toMatch(/client|meta|mutationKey/);
});
