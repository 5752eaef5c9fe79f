import type { Connector, JsonObject } from '@svc/catalog';
import { expect, test, vi } from 'vitest';
import { createTenant, ENVIRONMENT_URL } from '../../test/support/service/create-tenant.js';
import { webhookUrlOf } from '../connections/connection.js';
import { ServiceError } from '../errors.js';
import type { ReadyCall } from '../tools/execute.js';
import { createFollowCalls } from './follow-calls.js';
import { ownerOf } from './webhook-subscription.js';

const webhooks: NonNullable<Connector['webhooks']> = {
  create: { tool: 'mail_hook_create', url: 'url', trigger: 'trigger', id: '/id' },
  delete: { tool: 'mail_hook_delete', id: 'id' },
  triggers: {},
};

/** Follows the calls of a connected account that create and delete subscriptions, over a real database. */
async function createFollowing() {
  const tenant = await createTenant();
  const account = await tenant.connect('ada');
  const { storage } = tenant;
  const follow = createFollowCalls({
    ...tenant,
    catalog: {
      connectors: new Map([['mail', { webhooks } as Connector]]),
      validateInput: (_tool, _version, input) => ({ input: input as JsonObject, sent: input as JsonObject }),
    },
    environmentUrl: ENVIRONMENT_URL,
  });
  const begin = async (name: string, input: JsonObject) => {
    const followed = await follow({ tool: { name }, account, input } as unknown as ReadyCall);
    if (followed === undefined) throw new Error('The call is not followed.');
    return followed;
  };
  const url = webhookUrlOf(ENVIRONMENT_URL, account.connectionId);
  return {
    storage,
    create: () => begin(webhooks.create.tool, { trigger: 'sent', url }),
    remove: (id: string) => begin(webhooks.delete.tool, { id }),
    list: () => storage.webhookSubscriptions.list(ownerOf(account), { limit: 10 }),
  };
}

test.each([
  { details: {}, count: 0, title: 'deletes the subscription of a call that was refused' },
  {
    details: { reason: 'outcome_unknown', repeatable: false },
    count: 1,
    title: 'keeps the subscription of a refused call whose earlier attempt may have created it',
  },
])('$title', async ({ details, count }) => {
  const { create, list } = await createFollowing();
  await (await create()).fail(new ServiceError('account_not_authorized', 'No.', details));
  expect(await list()).toHaveLength(count);
});

test('deletes a subscription that the upstream has deleted, although the database is away for a moment', async () => {
  const { create, remove, list, storage } = await createFollowing();
  await (await create()).succeed({ id: 'hook-1' });
  vi.spyOn(storage.webhookSubscriptions, 'findByUpstreamId').mockRejectedValueOnce(
    new ServiceError('unavailable', 'The database is away.'),
  );
  await (await remove('hook-1')).succeed({});
  expect(await list()).toEqual([]);
});

test('deletes a subscription that an earlier, unrecorded call has deleted at the upstream', async () => {
  const { create, remove, list } = await createFollowing();
  await (await create()).succeed({ id: 'hook-1' });
  const { fail } = await remove('hook-1');
  await fail(new ServiceError('upstream_failed', 'No.', { status: 500 }));
  expect(await list()).toHaveLength(1);
  await fail(new ServiceError('upstream_failed', 'No.', { status: 404 }));
  expect(await list()).toEqual([]);
});
