import { describe, expect, test } from 'vitest';
import { fakeService, json } from '../test/fake-service.js';
import { manage } from './manage.js';
import type { ManagingClient } from './managing-client.js';

const account = { connectionName: 'my_calendar', identifier: 'user_42' };

describe('a missing or malformed name', () => {
  const run: Readonly<Record<string, (svc: ManagingClient, identifier: string) => Promise<unknown>>> = {
    getAuthorizationLink: (svc, identifier) => svc.getAuthorizationLink({ ...account, identifier }),
    getOrCreateConnectedAccount: (svc, identifier) =>
      svc.getOrCreateConnectedAccount({ ...account, identifier }),
    request: (svc, identifier) => svc.request({ ...account, identifier, method: 'GET', path: '/x' }),
    'the path of request': (svc, path) => svc.request({ ...account, path, method: 'GET' }),
    executeTool: (svc, toolName) => svc.executeTool({ ...account, toolName, toolInput: {} }),
    'accounts.get': (svc, identifier) => svc.accounts.get({ ...account, identifier }),
    'accounts.delete': (svc, id) => svc.accounts.delete({ id }),
    'connections.get': (svc, name) => svc.connections.get(name),
    'approvals.decide': (svc, id) => svc.approvals.decide(id, { decision: 'deny' }),
    'accountTokens.revoke': (svc, id) => svc.accountTokens.revoke(id),
  };

  test.each(Object.entries(run))('rejects with invalid_request and sends nothing: %s', async (_, call) => {
    const { svc, requests } = fakeService([() => json({})]);
    for (const name of [undefined, null, '', '\ud800', 42]) {
      const called = call(manage(svc), name as string);
      await expect(called).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(requests).toHaveLength(0);
  });
});
