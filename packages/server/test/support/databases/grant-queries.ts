import type { EveryQuery } from './every-query.js';
import { AGENT_ACCESS, AGENT_CLIENT, AGENT_GRANT, AGENT_SIGN_IN, APP, CALLS } from './sample-rows.js';

/** Sample calls of every query on the tables of MCP clients and their grants. */
export const GRANT_QUERIES: Pick<
  EveryQuery,
  'agentAccesses' | 'agentClients' | 'agentSignIns' | 'agentGrants'
> = {
  agentAccesses: {
    put: async (table) => {
      await table.put(AGENT_ACCESS);
      await table.put(AGENT_ACCESS);
    },
    find: (table) => table.find(APP),
    delete: (table) => table.delete('app_2'),
  },
  agentClients: {
    insert: (table) => table.insert(AGENT_CLIENT),
    find: (table) => table.find(APP, AGENT_CLIENT.id),
    lock: (table) => table.lock(APP, AGENT_CLIENT.id),
    list: (table) => table.list(APP),
    delete: (table) => table.delete(APP, 'client_2'),
  },
  agentSignIns: {
    insert: (table) => table.insert(AGENT_SIGN_IN),
    identify: (table) =>
      table.identify(
        { applicationId: APP, ticketDigest: 't', now: 1 },
        { identifier: 'ada', returnDigest: 'r' },
      ),
    findTicket: (table) => table.findTicket(APP, 't'),
    claim: (table) => table.claim({ ...AGENT_SIGN_IN, now: 1 }, 'r'),
    setIdentifier: (table) => table.setIdentifier(APP, AGENT_SIGN_IN.id, 'ada'),
    findReturning: (table) => table.findReturning(APP, 'r'),
    end: async (table) => {
      await table.end({ ...AGENT_SIGN_IN, now: 1 }, { codeDigest: 'c', expiresAt: 9, limits: '[]' });
      await table.end({ ...AGENT_SIGN_IN, now: 1 });
    },
    takeCode: (table) => table.takeCode({ applicationId: APP, codeDigest: 'c', now: 1 }, AGENT_GRANT.id),
    findCode: (table) => table.findCode(APP, 'c'),
  },
  agentGrants: {
    insert: (table) => table.insert(AGENT_GRANT),
    findLive: (table) => table.findLive(AGENT_GRANT.id, 1),
    list: async (table) => {
      await table.list(APP, { limit: 10 });
      for (const oldestFirst of [false, true])
        for (const by of [{}, { identifier: 'ada' }])
          await table.list(APP, { ...by, after: AGENT_GRANT, oldestFirst, limit: 10 });
    },
    countListed: async (table) => {
      await table.countListed(APP, {});
      await table.countListed(APP, { identifier: 'ada' });
    },
    usersOf: (table) => table.usersOf(APP, [AGENT_GRANT.id, 'grant_2']),
    renew: (table) => table.renew({ ...AGENT_GRANT, now: 1 }, 10),
    countCall: async ({ countCall }) => {
      const { used: _, ...calls } = CALLS;
      await countCall({ ...calls, tokenId: AGENT_GRANT.id }, 2);
    },
    countLinks: (table) => table.countLinks(APP, AGENT_GRANT.id),
    revoke: (table) => table.revoke({ ...AGENT_GRANT, id: 'grant_2' }, 1),
    revokeByClient: (table) => table.revokeByClient(APP, 'client_2', 1),
  },
};
