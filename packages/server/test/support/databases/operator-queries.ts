import type { EveryQuery } from './every-query.js';
import { OPERATOR, PASSKEY, SESSION } from './sample-rows.js';

/** Sample calls of every query on the tables of operators. */
export const OPERATOR_QUERIES: Pick<
  EveryQuery,
  'operators' | 'operatorSessions' | 'passkeys' | 'signInLinks'
> = {
  operators: {
    insert: (table) => table.insert(OPERATOR),
    list: (table) => table.list(),
    findByName: (table) => table.findByName('ada'),
    isEmpty: (table) => table.isEmpty(),
    find: (table) => table.find('op_1'),
    firstOwner: (table) => table.firstOwner(),
    setPassword: (table) => table.setPassword('ada', 'h'),
    setRole: (table) => table.setRole('ada', 'owner'),
    lock: (table) => table.lock('op_1'),
    setSignedInAt: (table) => table.setSignedInAt('op_1', 1),
    delete: (table) => table.delete('bob'),
  },
  operatorSessions: {
    insert: (table) => table.insert(SESSION),
    findLive: (table) => table.findLive('d', { createdAfter: 1, usedAfter: 1 }),
    exists: (table) => table.exists('d'),
    use: (table) => table.use('d', 1),
    deleteOthers: (table) => table.deleteOthers({ digest: 'd', operatorId: 'op_1' }),
    delete: (table) => table.delete('e'),
    deleteOf: (table) => table.deleteOf('op_2'),
  },
  passkeys: {
    insert: (table) => table.insert(PASSKEY),
    listOf: (table) => table.listOf(OPERATOR.id),
    findByCredential: (table) => table.findByCredential('c'),
    use: (table) => table.use(PASSKEY.id, { counter: 1, usedAt: 1 }),
    delete: (table) => table.delete('op_2', 'passkey_2'),
    deleteOf: (table) => table.deleteOf('op_2'),
    isChallengeUsed: (table) => table.isChallengeUsed('d'),
    completeChallenge: (table) => table.completeChallenge({ digest: 'd', expiresAt: 1 }),
  },
  signInLinks: {
    insert: (table) => table.insert({ digest: 'd', operatorId: OPERATOR.id, expiresAt: 2 }),
    take: (table) => table.take('d', 1),
    find: (table) => table.find('d'),
    endOf: (table) => table.endOf('op_2', 1),
  },
};
