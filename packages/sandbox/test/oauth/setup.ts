import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import {
  approvedParams,
  authorizationLink,
  callApi,
  REDIRECT_URI,
  requestToken,
  type TokenClient,
} from '../authorized.js';

export let sandbox: Sandbox;

/** Starts a sandbox for a test file and deletes its tokens before every test. */
export function useSandbox(): void {
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => sandbox.reset());
}

const PROBES: Record<string, { path: string; headers: Record<string, string> }> = {
  workspace: { path: '/v1/users/me', headers: { 'notion-version': '2022-06-28' } },
  calendar: { path: '/calendar/v3/users/me/calendarList', headers: {} },
};

/** Returns the status of a harmless API call with a token, to find out whether the token is valid. */
export async function probe(id: string, token: string): Promise<number> {
  const { path, headers } = PROBES[id] ?? { path: '/', headers: {} };
  return (await callApi(`${sandbox.upstream(id).baseUrl}${path}`, 'GET', { token, headers })).status;
}

export const register = (id: string): Promise<TokenClient> =>
  sandbox.registerClient(id, { redirectUris: [REDIRECT_URI], name: 'Test app' });

export async function codeFor(
  id: string,
  client: TokenClient,
  params: Record<string, string> = {},
): Promise<string> {
  return (await approvedParams(authorizationLink(sandbox, id, { client, params }))).get('code') ?? '';
}

export const exchange = (id: string, client: TokenClient, form: Record<string, string>) =>
  requestToken(sandbox, id, {
    client,
    form: { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, ...form },
  });
export const refresh = (id: string, client: TokenClient, token: string) =>
  requestToken(sandbox, id, { client, form: { grant_type: 'refresh_token', refresh_token: token } });
