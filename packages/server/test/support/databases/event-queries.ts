import type { EveryQuery } from './every-query.js';
import { APP, DELIVERY, ENDPOINT, RECEIPT, SERVICE_EVENT, SUBSCRIPTION } from './sample-rows.js';

const FILTER = { endpointId: ENDPOINT.id, eventId: SERVICE_EVENT.id, type: 'account.deleted' } as const;

/** Sample calls of every query on the tables of events, webhook endpoints and subscriptions. */
export const EVENT_QUERIES: Pick<
  EveryQuery,
  'webhookEndpoints' | 'events' | 'eventDeliveries' | 'deliveryQueue' | 'eventLeases' | 'webhookSubscriptions'
> = {
  webhookEndpoints: {
    insert: (table) => table.insert(ENDPOINT),
    find: (table) => table.find(APP, ENDPOINT.id),
    list: async (table) => {
      await table.list(APP, { limit: 10 });
      await table.list(APP, { after: ENDPOINT, limit: 10 });
    },
    wishes: (table) => table.wishes([APP], 1),
    ofApplications: (table) => table.ofApplications([APP]),
    change: (table) => table.change(ENDPOINT, { updatedAt: 1 }),
    markFailing: (table) => table.markFailing([ENDPOINT], 1),
    markWorking: (table) => table.markWorking([ENDPOINT]),
    disable: (table) => table.disable({ ...ENDPOINT, id: 'ep_2' }, { disabledReason: 'gone', updatedAt: 1 }),
    pause: (table) => table.pause({ ...ENDPOINT, id: 'ep_2' }, 1),
    delete: (table) => table.delete({ ...ENDPOINT, id: 'ep_2' }),
    troubled: async (table) => {
      await table.troubled({ applicationId: APP, failingUntil: 1, limit: 10 });
      await table.troubled({ applicationId: undefined, failingUntil: 1, limit: 10 });
    },
    lock: (table) => table.lock([ENDPOINT]),
    countDisabled: (table) => table.countDisabled(10),
    countPaused: (table) => table.countPaused(10),
    lockAlone: (table) => table.lockAlone([ENDPOINT.id]),
    lockFree: (table) => table.lockFree([ENDPOINT.id]),
    share: (table) => table.share([ENDPOINT.id]),
  },
  events: {
    insert: (table) => table.insert([SERVICE_EVENT]),
    find: (table) => table.find(APP, SERVICE_EVENT.id),
    list: async (table) => {
      await table.list(APP, { after: 0, limit: 10 });
      await table.list(APP, { after: 0, types: ['account.deleted'], connectionName: 'mail', limit: 10 });
    },
    latest: (table) => table.latest(APP),
    findPosition: (table) => table.findPosition(APP, SERVICE_EVENT.id),
    eraseSomePayloads: (table) => table.eraseSomePayloads(APP, 'acct_1'),
    listPayloads: (table) => table.listPayloads(APP, [SERVICE_EVENT.id]),
    listBodies: (table) => table.listBodies([SERVICE_EVENT]),
    listWaiting: (table) => table.listWaiting({ after: '', limit: 10 }),
    lastPosition: (table) => table.lastPosition(),
    hasUnpositioned: (table) => table.hasUnpositioned(),
    position: async (table) => {
      await table.position({ most: 10, now: 1 });
      await table.position({ applicationIds: [APP], most: 10, now: 1 });
    },
    positionOne: (table) => table.positionOne(APP, SERVICE_EVENT.id, 1),
  },
  eventLeases: {
    extend: (table) => table.extend(APP, { types: ['account.deleted'], expiresAt: 2, unlessAfter: 1 }),
  },
  eventDeliveries: {
    insert: (table) => table.insert([DELIVERY]),
    find: (table) => table.find(APP, DELIVERY.id),
    list: async (table) => {
      await table.list(APP, { limit: 10 });
      const filter = { ...FILTER, state: 'failed', accountId: 'acct_1' } as const;
      for (const oldestFirst of [false, true])
        for (const by of [{}, filter])
          await table.list(APP, { ...by, after: DELIVERY, oldestFirst, limit: 10 });
    },
    countListed: async (table) => {
      await table.countListed(APP, {});
      await table.countListed(APP, { state: 'failed' });
      await table.countListed(APP, { ...FILTER, accountId: 'acct_1' });
    },
    resend: (table) => table.resend(APP, 'dlv_2', 1),
    deleteSome: (table) => table.deleteSome(APP, { endpointId: 'ep_2', most: 10 }),
  },
  webhookSubscriptions: {
    insert: (table) => table.insert(SUBSCRIPTION),
    find: (table) => table.find(SUBSCRIPTION, SUBSCRIPTION.id),
    findByUpstreamId: (table) => table.findByUpstreamId(SUBSCRIPTION, 'w'),
    findByKey: (table) => table.findByKey('d'),
    list: async (table) => {
      await table.list(SUBSCRIPTION, { limit: 10 });
      await table.list(SUBSCRIPTION, { after: SUBSCRIPTION, limit: 10 });
    },
    confirm: (table) => table.confirm(SUBSCRIPTION, 'w'),
    addReceipt: (table) => table.addReceipt(RECEIPT),
    delete: (table) => table.delete({ ...SUBSCRIPTION, id: 'sub_2' }),
  },
  deliveryQueue: {
    dueEndpoints: (table) => table.dueEndpoints({ now: 1, after: '', limit: 10 }),
    countPending: (table) => table.countPending(10),
    countSending: (table) => table.countSending([ENDPOINT.id], { now: 1, until: 2 }),
    claim: (table) => table.claim([{ ...ENDPOINT, most: 4 }], { now: 1, until: 2, claim: 'c' }),
    finish: (table) => table.finish([{ ...DELIVERY, claim: 'x', attempts: 1, nextAt: 2 }]),
    pendingAccounts: (table) => table.pendingAccounts(ENDPOINT.id, ['acct_1']),
    releaseNext: (table) => table.releaseNext([{ endpointId: ENDPOINT.id, accountId: 'acct_1' }], 1),
    releaseAll: (table) => table.releaseAll(ENDPOINT, 1),
    releaseFirst: (table) => table.releaseFirst(ENDPOINT, 1),
  },
};
