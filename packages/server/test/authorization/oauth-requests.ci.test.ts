import type { ConnectedAccount } from '@svc/core';
import { approve, type RecordedRequest } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const DAY_MS = 86_400_000;
const FORM = 'application/x-www-form-urlencoded';
const GOOGLE = {
  authorization: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  authorizationPath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  revocationPath: '/revoke',
  contentType: FORM,
  client: 'body',
  refreshTokens: 'lasting',
  headers: {},
  sendsLifetime: true,
} as const;

const PROVIDERS = [
  { connector: 'calendar', ...GOOGLE, api: '/calendar/v3/users/me/calendarList' },
  { connector: 'video', ...GOOGLE, api: '/youtube/v3/channels?part=id&mine=true' },
  {
    connector: 'filesite',
    authorization: { prompt: 'select_account', scope: expect.stringContaining('offline_access') },
    authorizationPath: '/organizations/oauth2/v2.0/authorize',
    tokenPath: '/organizations/oauth2/v2.0/token',
    revocationPath: undefined,
    contentType: FORM,
    client: 'body',
    refreshTokens: 'rotating',
    headers: {},
    sendsLifetime: true,
    api: '/v1.0/sites/root',
  },
  {
    connector: 'workspace',
    authorization: { owner: 'user' },
    authorizationPath: '/v1/oauth/authorize',
    tokenPath: '/v1/oauth/token',
    revocationPath: '/v1/oauth/revoke',
    contentType: 'application/json',
    client: 'basic',
    refreshTokens: 'rotating',
    headers: { 'notion-version': '2022-06-28' },
    sendsLifetime: false,
    api: '/v1/users/me',
  },
] as const;

let service: Service;
let number = 0;

beforeAll(async () => {
  service = await startService({ connectors: PROVIDERS.map(({ connector }) => connector) });
});
beforeEach(() => service.sandbox.clearRequests());
afterEach(() => void vi.useRealTimers());
afterAll(() => service.stop());

const connect = (connector: string): Promise<ConnectedAccount> =>
  connectAccount(service, connector, `user-${++number}`);
const requestsTo = async (path: string): Promise<readonly RecordedRequest[]> =>
  (await service.sandbox.requests()).filter((request) => request.path === path);

describe.each(PROVIDERS)('$connector', (provider) => {
  const { connector, authorizationPath, tokenPath, revocationPath, api } = provider;
  const use = async ({ connectionName, identifier }: ConnectedAccount) =>
    (await service.svc.request({ connectionName, identifier, path: api, method: 'GET' })).status;

  test(`${connector}: the authorization request has its constant parameters and a PKCE challenge`, async () => {
    await connect(connector);
    const [request] = await requestsTo(authorizationPath);
    expect(request?.query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      ...provider.authorization,
    });
  });

  test(`${connector}: token requests use ${provider.contentType} with the client in ${provider.client}`, async () => {
    const account = await connect(connector);
    await service.sandbox.expireTokens(connector);
    await use(account);
    const requests = await requestsTo(tokenPath);
    expect(requests.map(({ status }) => status)).toEqual([200, 200]);
    for (const { headers, body } of requests) {
      expect(headers['content-type']).toContain(provider.contentType);
      expect(headers).toMatchObject(provider.headers);
      expect(headers['origin']).toBeUndefined();
      const isBasic = provider.client === 'basic';
      expect(headers['authorization']).toBe(isBasic ? 'Basic [hidden]' : undefined);
      expect(Object.keys(body ?? {}).includes('client_secret')).toBe(!isBasic);
    }
    expect(requests.map(({ body }) => body)).toMatchObject([
      { grant_type: 'authorization_code' },
      { grant_type: 'refresh_token' },
    ]);
  });

  test(`${connector}: an account renews expired access tokens with ${provider.refreshTokens} refresh tokens`, async () => {
    const account = await connect(connector);
    for (let time = 0; time < 3; time += 1) {
      await service.sandbox.expireTokens(connector);
      expect(await use(account)).toBe(200);
    }
    expect((await requestsTo(tokenPath)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test(`${connector}: a deleted account ${revocationPath === undefined ? 'causes no request without a revocation endpoint' : 'is revoked upstream'}`, async () => {
    const { connectionName, identifier } = await connect(connector);
    await service.sandbox.clearRequests();
    await service.svc.call({
      method: 'DELETE',
      path: `/v1/connections/${connectionName}/accounts/${identifier}`,
    });
    const requests = (await service.sandbox.requests()).map(({ path, status }) => [path, status]);
    expect(requests).toEqual(revocationPath === undefined ? [] : [[revocationPath, 200]]);
  });

  test(`${connector}: a token ${provider.sendsLifetime ? 'with expires_in is renewed when it expires' : 'without expires_in is not renewed by time'}`, async () => {
    const account = await connect(connector);
    await service.sandbox.clearRequests();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
    expect(await use(account)).toBe(200);
    expect(await requestsTo(tokenPath)).toHaveLength(provider.sendsLifetime ? 1 : 0);
  });

  test(`O8, ${connector}: another upstream user replaces the first one only when the link allows it`, async () => {
    const { connectionName, identifier } = await connect(connector);
    const again = async (user: string, replace: boolean) => {
      const account = { connectionName, identifier, replace };
      const { link } = await service.svc.getAuthorizationLink(account);
      return (await approve(link, { user })).status;
    };
    expect([await again('ada', false), await again('grace', false)]).toEqual([200, 409]);
    expect([await again('grace', true), await again('ada', false)]).toEqual([200, 409]);
  });
});
