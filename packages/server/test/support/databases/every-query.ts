import { INDEXED_RULES, SCANNED_RULES } from '../../../src/storage/retention-rules.js';
import { LATENCY_BOUNDS_MS } from '../../../src/storage/schema.js';
import { SEALED_COLUMNS } from '../../../src/storage/sealed-columns.js';
import type { Tables } from '../../../src/storage/storage.js';
import { EVENT_QUERIES } from './event-queries.js';
import { GRANT_QUERIES } from './grant-queries.js';
import { OPERATOR_QUERIES } from './operator-queries.js';
import {
  ACCOUNT,
  APP,
  APPLICATION,
  CALL_APPROVAL,
  CALLS,
  CONNECTION,
  EVENT,
  EXECUTION,
  FAILED_REQUEST,
  FLOW,
  KEY,
  LINK,
  NARROWED,
  PENDING,
  REGISTRATION,
  RUN,
  SECRET,
  TOKEN,
} from './sample-rows.js';
import { WATCH_QUERIES } from './watch-queries.js';

type Methods<Table> = {
  [Name in keyof Table as Table[Name] extends (...given: never[]) => Promise<unknown>
    ? Name
    : never]: Table[Name];
};

/** Sample calls of every method of every table. A missing method is a compile error. */
export type EveryQuery = {
  readonly [Name in keyof Tables]: {
    readonly [Method in keyof Methods<Tables[Name]>]: (table: Tables[Name]) => Promise<unknown>;
  };
};

const PAGE = { after: '', limit: 10 };
const STATISTICS = {
  applicationId: APP,
  at: 1,
  connectionName: 'mail',
  calls: 1,
  errors: 0,
  latencies: LATENCY_BOUNDS_MS.map(() => 0),
};
const IDS = { from: 'id_10', to: 'id_1f' };
const CURSOR = { startedAt: 1, id: 'exec_1' };
const IN_CONNECTION = { applicationId: APP, connectionId: CONNECTION.id };
const all = <Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>) =>
  Promise.all(items.map(run));

const FACTS = [
  { notTested: true, refreshFailing: false },
  { connectionId: CONNECTION.id, refreshFailing: true },
];

export const EVERY_QUERY: EveryQuery = {
  settings: {
    ping: (table) => table.ping('x'),
    find: (table) => table.find('x'),
    insertIfAbsent: (table) => table.insertIfAbsent('x', 'y'),
    lock: (table) => table.lock('x'),
    replace: (table) => table.replace('x', { from: 'y', to: 'z' }),
  },
  applications: {
    insert: (table) => table.insert(APPLICATION),
    first: (table) => table.first(),
    find: (table) => table.find(APP),
    list: (table) => table.list({ createdAt: 1, id: '' }, 10),
    countListed: (table) => table.countListed(),
    update: (table) => table.update(APP, { name: 'b' }),
    lock: (table) => table.lock(APP),
    insertSecret: (table) => table.insertSecret(SECRET),
    liveSecrets: (table) => table.liveSecrets(APP),
    secrets: (table) => table.secrets(APP),
    findSecret: (table) => table.findSecret(APP, 'd'),
    revokeSecret: (table) => table.revokeSecret(APP, SECRET.id, 1),
    delete: (table) => table.delete('app_2'),
  },
  applicationOrigins: {
    replace: async (table) => {
      await table.replace(APP, []);
      await table.replace(APP, ['https://app.example']);
    },
    listByApplications: (table) => table.listByApplications([APP]),
    has: (table) => table.has(APP, 'https://app.example'),
    isKnown: (table) => table.isKnown('https://app.example'),
  },
  narrowedTokens: {
    insert: (table) => table.insert(NARROWED),
    findLive: (table) => table.findLive(NARROWED.id, 1),
    list: async (table) => {
      await table.list(APP, { kind: 'agent', limit: 10 });
      for (const oldestFirst of [false, true])
        for (const by of [{}, { identifier: 'ada' }])
          await table.list(APP, { kind: 'agent', ...by, after: NARROWED, oldestFirst, limit: 10 });
    },
    countListed: (table) =>
      all([{}, { identifier: 'ada' }], (by) => table.countListed(APP, { kind: 'agent', ...by })),
    revoke: (table) => table.revoke({ ...NARROWED, id: 'tok_2' }, 1),
    countCall: async ({ countCall }) => {
      const { used: _, ...calls } = CALLS;
      await countCall(calls, 2);
    },
    usersOf: (table) => table.usersOf(APP, [NARROWED.id, 'tok_2']),
    countLinks: (table) => table.countLinks(APP, CALLS.tokenId),
  },
  accessTokens: {
    insert: (table) => table.insert(TOKEN),
    findLive: (table) => table.findLive('d', 1),
  },
  dataKeys: {
    count: (table) => table.count(),
    insert: (table) => table.insert(KEY),
    find: (table) => table.find(APP, KEY.id),
    newest: (table) => table.newest(APP),
    list: (table) => table.list(APP),
    listAll: (table) => table.listAll('', 10),
    owners: (table) => table.owners(1, PAGE),
    reserve: (table) => table.reserve(KEY, { count: 1, most: 10 }),
    rewrap: (table) => table.rewrap(KEY, 'w'),
    setUnusedSince: (table) => table.setUnusedSince(KEY, 1),
    delete: (table) => table.delete({ ...KEY, id: 'key_2' }),
    deleteOf: (table) => table.deleteOf('app_2'),
  },
  sealedValues: {
    findSome: (table) =>
      all(SEALED_COLUMNS, (sealed) =>
        table.findSome({ applicationId: APP, sealed, containing: 'k' }, { after: 'a', most: 10 }),
      ),
    countSome: (table) =>
      all(SEALED_COLUMNS, (sealed) =>
        table.countSome({ applicationId: APP, sealed, containing: 'k' }, { after: 'a', most: 10 }),
      ),
    replace: (table) =>
      all(SEALED_COLUMNS, (sealed) =>
        table.replace({ applicationId: APP, sealed }, { rowId: 'r', text: 'a' }, 'b'),
      ),
  },
  connections: {
    insert: (table) => table.insert(CONNECTION),
    findByName: (table) => table.findByName(APP, 'mail'),
    find: (table) => table.find(APP, CONNECTION.id),
    list: (table) => table.list(APP, 'a', 10),
    countListed: (table) => table.countListed(APP),
    change: (table) => table.change(CONNECTION, { updatedAt: 1 }),
    lock: (table) => table.lock(CONNECTION),
    share: (table) => table.share(CONNECTION),
    bindIssuer: (table) => table.bindIssuer(CONNECTION, 'i'),
    mark: (table) => table.mark(CONNECTION, 'invalid_client'),
    setTest: (table) => table.setTest(CONNECTION, { testedAt: 1, testFailure: null }),
    applicationsOfNotWorking: (table) => table.applicationsOfNotWorking(10),
    delete: (table) => table.delete(APP, 'conn_2'),
  },
  clientRegistrations: {
    insert: (table) => table.insert(REGISTRATION),
    find: (table) => table.find(REGISTRATION),
    delete: (table) => table.delete(REGISTRATION),
  },
  accountTerms: { replace: (table) => table.replace(ACCOUNT, ['tag:vip']) },
  accountCounts: {
    countUntested: (table) => table.countUntested(CONNECTION),
    countByStatus: (table) => table.countByStatus(CONNECTION, 10),
    countSlice: (table) => table.countSlice(undefined, 100),
    countRefreshFailures: (table) => table.countRefreshFailures(APP, { from: 1, most: 10 }),
    applicationsOfRefreshFailures: (table) => table.applicationsOfRefreshFailures(1, 10),
  },
  accounts: {
    insert: (table) => table.insert(ACCOUNT),
    find: (table) => table.find(APP, ACCOUNT.id),
    findName: (table) => table.findName(APP, ACCOUNT.id),
    listOfUser: (table) => table.listOfUser(APP, 'ada', 100),
    usersOf: (table) => table.usersOf(APP, [ACCOUNT.id, 'acct_2']),
    hasMoreOfUser: (table) => table.hasMoreOfUser(ACCOUNT, 20),
    findByName: (table) => table.findByName(APP, { connectionName: 'mail', identifier: 'ada' }),
    list: async (table) => {
      const [after, status, prefix, connectionId] = [ACCOUNT, 'authorized', 'a', CONNECTION.id] as const;
      const terms = ['tag:vip', 'metadata:plan:pro'];
      for (const query of [{}, { status }, { connectionId }, { connectionId, status }, { terms }, ...FACTS])
        for (const page of [{}, { after }, { prefix }, { after, prefix }, { after, identifier: 'ada' }])
          for (const isDescending of [false, true])
            await table.list(APP, { ...query, ...page, isDescending, limit: 10 });
    },
    countListed: async (table) => {
      const terms = ['tag:vip', 'metadata:plan:pro'];
      const [status, connectionId] = ['authorized', CONNECTION.id] as const;
      for (const query of [{}, { status }, { connectionId }, { connectionId, status }, { terms }, ...FACTS])
        for (const part of [{}, { prefix: 'a' }, { identifier: 'ada' }])
          await table.countListed(APP, { ...query, ...part });
    },
    markUsed: (table) => table.markUsed({ accounts: [ACCOUNT], usedAt: 1 }, 1),
    hasAny: (table) => table.hasAny(CONNECTION),
    change: (table) => table.change(ACCOUNT, { updatedAt: 1 }),
    setDetails: (table) => table.setDetails(ACCOUNT, { tags: '[]', updatedAt: 1 }),
    setStatus: (table) => table.setStatus(ACCOUNT, { from: 'authorized', to: 'authorized', now: 1 }),
    hasSubject: (table) => table.hasSubject(IN_CONNECTION, { subject: 's' }),
    markTested: (table) => table.markTested(ACCOUNT),
    markRefresh: (table) => table.markRefresh(ACCOUNT, 1),
    markRefreshFailed: (table) => table.markRefreshFailed(ACCOUNT, { at: 1, reason: 'unavailable' }),
    delete: (table) => table.delete({ ...ACCOUNT, id: 'acct_2' }),
  },
  authorizationLinks: {
    insert: (table) => table.insert(LINK),
    find: (table) => table.find('d'),
    findById: (table) => table.findById('link_1'),
    use: (table) => table.use({ tokenDigest: 'd', browserDigest: 'b', now: 1, openSince: 0 }),
    end: (table) => all(['connected', 'cancelled'], (outcome) => table.end(LINK, { outcome, now: 1 })),
    refuse: (table) => table.refuse('link_1', 1),
    deleteOf: (table) => table.deleteOf(ACCOUNT),
  },
  authorizationFlows: {
    insert: (table) => table.insert(FLOW),
    consume: (table) =>
      table.consume({ stateDigest: 's', browserDigest: 'b', connectionId: CONNECTION.id, now: 1 }),
    find: (table) => table.find('d'),
    refuse: (table) => table.refuse('flow_1', 1),
    deleteOf: (table) => table.deleteOf(ACCOUNT),
  },
  pendingConsents: {
    insert: (table) => table.insert(PENDING),
    find: (table) => table.find({ applicationId: APP, requestDigest: 'd', now: 1 }),
    findOwner: (table) => table.findOwner('d'),
    ofAccount: (table) => table.ofAccount(APP, ACCOUNT.id),
    expired: (table) => table.expired(1, 10),
    take: (table) => table.take(APP, PENDING.id),
    deleteOf: (table) => table.deleteOf(ACCOUNT),
  },
  executions: {
    insert: (table) => table.insert([EXECUTION]),
    listOfRequest: (table) => table.listOfRequest(APP, { requestId: 'req_1', failed: true, limit: 10 }),
    listOutcomes: (table) => table.listOutcomes(APP, { since: 1, limit: 10 }),
    find: (table) => table.find(APP, CURSOR),
    list: async (table) => {
      await table.list(APP, { limit: 10 });
      const filter = { status: 500, failed: true };
      for (const oldestFirst of [false, true])
        for (const account of [{}, { accountId: ACCOUNT.id }]) {
          const page = { limit: 10, oldestFirst, ...account, after: CURSOR };
          await table.list(APP, page);
          await table.list(APP, { ...page, ...filter });
          await table.list(APP, { ...page, ...filter, since: 1, until: 2 });
        }
    },
    countListed: (table) =>
      all([{}, { namedUser: 'ada' }, { accountId: ACCOUNT.id }], async (by) => {
        await table.countListed(APP, by);
        await table.countListed(APP, { ...by, failed: true, since: 1, until: 2 });
      }),
  },
  executionStatistics: {
    add: (table) => table.add([STATISTICS]),
    listRecent: (table) => table.listRecent(APP, 1),
    applicationsOfErrors: (table) => table.applicationsOfErrors(1, 10),
    sum: async (table) => {
      await table.sum(APP, { from: 0, to: 9, stepMs: 3 });
      await table.sum(APP, { from: 0, to: 9, stepMs: 3, connectionName: 'mail' });
    },
  },
  idempotencyKeys: {
    start: (table) => table.start(RUN, 1),
    find: (table) => table.find(APP, 'k'),
    update: (table) => table.update(RUN, { leaseUntil: 1 }),
    delete: (table) => table.delete(RUN),
  },
  callApprovals: {
    insert: (table) => table.insert(CALL_APPROVAL),
    find: (table) => table.find(APP, CALL_APPROVAL.id),
    findByLink: (table) => table.findByLink(CALL_APPROVAL.id),
    findByCall: (table) => table.findByCall(APP, 'c'),
    findIdByExecution: (table) => table.findIdByExecution(APP, EXECUTION.id),
    list: async (table) => {
      for (const status of [undefined, 'pending'] as const)
        for (const after of [undefined, CALL_APPROVAL])
          for (const oldestFirst of [false, true])
            await table.list(APP, { status, after, oldestFirst, limit: 10 });
      for (const oldestFirst of [false, true])
        await table.list(APP, { accountId: ACCOUNT.id, after: CALL_APPROVAL, oldestFirst, limit: 10 });
    },
    countListed: (table) =>
      all([{}, { status: 'pending' }, { accountId: ACCOUNT.id }] as const, (by) =>
        table.countListed(APP, by),
      ),
    usersOf: (table) => table.usersOf(APP, [CALL_APPROVAL.id, 'appr_2']),
    callersOfPending: (table) => table.callersOfPending(APP),
    countWaiting: (table) => table.countWaiting(APP, 1),
    change: async (table) => {
      const state = { statuses: ['pending'] } as const;
      await table.change(CALL_APPROVAL, state, { holdsUntil: 9 });
      await table.change(CALL_APPROVAL, { ...state, executionId: 'e', until: 1 }, { holdsUntil: 9 });
    },
    releaseKey: (table) => table.releaseKey({ ...CALL_APPROVAL, id: 'appr_2' }),
    overdue: (table) => table.overdue(1, 10),
    deleteExpiredResults: (table) => table.deleteExpiredResults(1),
  },
  ownedRows: {
    count: (table) => table.count(APP),
    deleteSome: (table) => table.deleteSome(APP, 10),
  },
  rateBuckets: {
    take: (table) => table.take([]),
  },
  instances: {
    heartbeat: (table) => table.heartbeat({ id: 'inst_1', report: '{}' }),
    list: (table) => table.list(),
    delete: (table) => table.delete('inst_1'),
  },
  expiredRows: {
    deleteOldest: (table) => all(INDEXED_RULES, (rule) => table.deleteOldest(rule, 1)),
    deleteScanned: (table) =>
      all(
        SCANNED_RULES.filter((rule) => table.scannedRules.includes(rule)),
        (rule) => table.deleteScanned(rule, { after: '', until: 1 }),
      ),
    nextWithExecutions: (table) => table.nextWithExecutions(''),
    deleteOldestExecutions: (table) => table.deleteOldestExecutions(APP, 1),
    setAuditRetainedFrom: (table) => table.setAuditRetainedFrom(1),
  },
  freeSpace: {
    ofFile: (table) => table.ofFile(),
    giveBack: (table) => table.giveBack(1),
    writeAnew: (table) => table.writeAnew(),
  },
  sizes: {
    list: (table) => table.list(),
    oldest: (table) => table.oldest('executions'),
  },
  serverFacts: {
    read: (table) => table.read(),
  },
  namedUsers: {
    add: (table) => table.add([{ applicationId: APP, identifier: 'ada', seenAt: 1 }]),
  },
  failedRequests: {
    insert: (table) => table.insert([FAILED_REQUEST]),
  },
  auditEvents: {
    insert: (table) => table.insert([EVENT]),
    list: async (table) => {
      const after = { at: 1, id: 'audit_1' };
      await table.list({ limit: 10, after });
      await table.list({ limit: 10, newestFirst: true, since: 1 });
      await table.list({ limit: 10, applicationId: APP, after });
      await table.list({ limit: 10, applicationId: APP, newestFirst: true, since: 1 });
      const filter = { action: 'a', actor: 'b', since: 1, until: 2, upTo: { at: 2, id: 'audit_2' } };
      await table.list({ limit: 10, ...filter, after });
      await table.list({ limit: 10, ...filter, applicationId: APP, newestFirst: true });
      for (const newestFirst of [false, true])
        await table.list({
          limit: 10,
          ...filter,
          applicationId: APP,
          object: ACCOUNT.id,
          newestFirst,
          after,
        });
    },
    listOfRequest: (table) => table.listOfRequest('req_1', 10),
    countListed: async (table) => {
      await table.countListed({ newestFirst: true });
      await table.countListed({ action: 'a', applicationId: APP, newestFirst: true });
      await table.countListed({ object: ACCOUNT.id, applicationId: APP, newestFirst: true });
    },
    findEnd: async (table) => {
      await table.findEnd({ applicationId: APP, newestFirst: true, until: 2 });
      await table.findEnd({ since: 1 });
    },
  },
  search: {
    executionsOfRequest: (table) => table.executionsOfRequest(IDS, 10),
    executionsById: (table) => table.executionsById({ ...IDS, since: 1, until: 2 }, 10),
    failedRequests: (table) => table.failedRequests(IDS, 10),
    failedRequestsOf: (table) => table.failedRequestsOf(IDS, 10),
    eventsOfRequest: (table) => table.eventsOfRequest(IDS, 10),
    eventsById: (table) => table.eventsById(IDS, 10),
    accountsById: (table) => table.accountsById(IDS, 10),
    approvalsById: (table) => table.approvalsById(IDS, 10),
    connectionsById: (table) => table.connectionsById(IDS, 10),
    grantsById: (table) => table.grantsById(IDS, 10),
    tokensById: (table) => table.tokensById(IDS, 10),
    endpointsById: (table) => table.endpointsById(IDS, 10),
    webhookEventsById: (table) => table.webhookEventsById(IDS, 10),
    deliveriesById: (table) => table.deliveriesById(IDS, 10),
    usersByPrefix: (table) => table.usersByPrefix('ad', 10),
    usersByPart: (table) => table.usersByPart('d', { most: 100, limit: 10 }),
    hasMoreUsers: (table) => table.hasMoreUsers(100),
  },
  ...EVENT_QUERIES,
  ...WATCH_QUERIES,
  ...GRANT_QUERIES,
  ...OPERATOR_QUERIES,
};
