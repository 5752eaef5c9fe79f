import { AccountNotAuthorizedError, type ConnectedAccount, UpstreamError } from '@svc/core';
import { approve } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CALLS } from '../support/mcp/calls.js';
import { rejection } from '../support/rejection.js';
import { connectApart } from '../support/service/connect-apart.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const KEYS = {
  network: { apiKey: 'sandbox-another' },
  convintel: { bearerToken: 'sandbox-another' },
  scrapermcp: { bearerToken: 'sandbox-another' },
};

const CASES = Object.entries(KEYS).map(([connector, key]) => ({ connector, key }));

const PATHS = { network: '/network/profile?url=x', convintel: '/v1/users', scrapermcp: '/' };

const readsOf = (connector: string) => {
  const match = CALLS.find((call) => call.connector === connector);
  if (match === undefined) throw new Error(`No call of ${connector}.`);
  return match;
};

afterEach(() => service.sandbox.reset());

const ONCE = { maxRetries: 0 };

function ways({ connectionName, identifier }: ConnectedAccount, connector: keyof typeof KEYS) {
  const { name, input } = readsOf(connector);
  return {
    tool: () =>
      service.svc.executeTool({ toolName: name, toolInput: input, connectionName, identifier }, ONCE),
    proxy: () =>
      service.svc.request({ connectionName, identifier, path: PATHS[connector], method: 'GET' }, ONCE),
  };
}

const read = ({ connectionName, identifier }: ConnectedAccount) =>
  service.svc.getOrCreateConnectedAccount({ connectionName, identifier });

describe.each(CASES)('a revoked key of $connector', ({ connector, key }) => {
  test.each(['tool', 'proxy'] as const)('ends the access of the account on a call by %s', async (way) => {
    const identifier = `by_${way}`;
    const account = await connectAccount(service, connector, identifier);
    const call = ways(account, connector as keyof typeof KEYS)[way];
    await call().catch((error: unknown) => expect(error).not.toBeInstanceOf(AccountNotAuthorizedError));
    await service.sandbox.revokeGrants(connector);
    const error = await rejection(call());
    expect(error).toBeInstanceOf(AccountNotAuthorizedError);
    expect(error).toMatchObject({
      details: { status: 'reauthorization_required', statusReason: 'key_refused' },
      message: expect.stringContaining('PUT'),
    });
    expect(await (error as AccountNotAuthorizedError).getLink()).toMatchObject({
      link: expect.stringContaining('/connect/'),
    });
    expect(await read(account)).toMatchObject({
      status: 'reauthorization_required',
      statusReason: 'key_refused',
    });
    const path = `/v1/connections/${connector}/accounts`;
    const { items } = await service.svc.call<{ items: object[] }>({ method: 'GET', path });
    expect(items).toContainEqual(
      expect.objectContaining({
        identifier,
        status: 'reauthorization_required',
        statusReason: 'key_refused',
      }),
    );
    // Clears the recorded requests, because no further call may reach the upstream until the account gets a new key.
    await service.sandbox.clearRequests();
    expect(await rejection(call())).toBeInstanceOf(AccountNotAuthorizedError);
    expect(await service.sandbox.requests(connector)).toEqual([]);
    await service.svc.getOrCreateConnectedAccount({ connectionName: connector, identifier, ...key });
    expect(await read(account)).toMatchObject({ status: 'authorized' });
  });

  test('stays authorized when the upstream refuses a single request', async () => {
    const account = await connectAccount(service, connector, 'kept');
    await service.sandbox.dials(connector, { failNext: { count: 1, status: 404 } });
    const { tool } = ways(account, connector as keyof typeof KEYS);
    expect(await rejection(tool())).toBeInstanceOf(UpstreamError);
    expect(await read(account)).toMatchObject({ status: 'authorized' });
  });
});

const googleError = (reason: string) => ({ error: { code: 401, message: reason, errors: [{ reason }] } });

test('a revoked token without a refresh token ends the account', async () => {
  // Connects without the scope offline_access, because the upstream then issues no refresh token.
  const account = await connectApart(service, 'filesite', { scopes: ['Sites.Read.All'] });
  const { connectionName, identifier } = account;
  const request = { connectionName, identifier, path: '/v1.0/sites/root', method: 'GET' } as const;
  await service.svc.request(request, ONCE);
  await service.sandbox.revokeGrants('filesite');
  const error = await rejection(service.svc.request(request, ONCE));
  expect(error).toBeInstanceOf(AccountNotAuthorizedError);
  expect(error).toMatchObject({
    details: { status: 'reauthorization_required', statusReason: 'token_refused' },
  });
  const { link } = await service.svc.getAuthorizationLink({ connectionName, identifier });
  expect(await approve(link, { user: 'ada' })).toMatchObject({ status: 200 });
  expect(await read(account)).toMatchObject({ status: 'authorized' });
  await service.svc.request(request, ONCE);
});

test('a 401 for another reason keeps the account authorized and passes the proxy unchanged', async () => {
  const account = await connectApart(service, 'video');
  const { connectionName, identifier } = account;
  const body = googleError('youtubeSignupRequired');
  await service.sandbox.dials('video', { failNext: { count: 4, status: 401, body } });
  const path = '/youtube/v3/channels?part=id&mine=true';
  const request = { connectionName, identifier, path, method: 'GET' } as const;
  const error = await rejection(service.svc.request(request, ONCE));
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error).toMatchObject({ status: 401, body });
  expect(await read(account)).toMatchObject({ status: 'authorized' });
});
