import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { SUBSCRIPTION } from '../support/databases/sample-rows.js';
import { withoutApplicationFilter } from '../support/databases/without-application-filter.js';
import { createDelivery } from '../support/events/create-delivery.js';
import { createStoppedWatch } from '../support/events/watching.js';
import { grantTokens, openSignIn } from '../support/mcp/sign-in.js';
import {
  applicationOperationsOf,
  fillPath,
  type Operation,
  readOpenApi,
} from '../support/requests/operations.js';
import { type Application, signIn } from '../support/service/application.js';
import { requestApproval } from '../support/service/request-approval.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const filterless = withoutApplicationFilter();
let dropsFilter = false;
let database: Database | undefined;

// Database whose queries lose their application filter as soon as a test sets `dropsFilter`.
vi.mock(import('../../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      const plugin = {
        transformQuery: (args: Parameters<typeof filterless.plugin.transformQuery>[0]) =>
          dropsFilter ? filterless.plugin.transformQuery(args) : args.node,
        transformResult: filterless.plugin.transformResult,
      };
      return { ...opened, database: opened.database.withPlugin(plugin) };
    },
  };
});

let service: Service;
let owner: Application;
let stranger: Application;
let operations: readonly Operation[];
let owned: Record<string, string>;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  owner = await signIn(service);
  stranger = await addApplication(service);
  operations = applicationOperationsOf(await readOpenApi(service.url));
  const { id } = await connectAccount(service, 'calendar', 'user_42');
  owned = { connectionName: 'calendar', identifier: 'user_42', id };
  const reply = await owner.call('POST', '/v1/tools/calendar_list_calendars/execute', {
    body: { connectedAccountId: id, toolInput: {} },
  });
  owned['executionId'] = reply.json<{ executionId: string }>().executionId;
  for (const kind of ['account', 'agent']) {
    const made = await owner.call('POST', `/v1/${kind}-tokens`, {
      body: { identifier: 'user_42', expiresIn: 600 },
    });
    owned[`${kind}TokenId`] = made.json<{ id: string }>().id;
  }
  const toolCall = { connectionName: 'calendar', connectedAccountId: id, toolName: 'calendar_list_events' };
  owned['approvalId'] = await requestApproval(owner, toolCall);
  const signing = await openSignIn(service);
  await grantTokens(signing);
  const grants = (await owner.call('GET', '/v1/agent-grants')).json<{ items: { id: string }[] }>();
  owned['agentClientId'] = signing.clientId;
  owned['agentGrantId'] = grants.items[0]?.id ?? '';
  Object.assign(owned, await createDelivery(owner));
  // The test inserts a subscription itself, because the calendar has no webhooks.
  owned['subscriptionId'] = 'sub_0193f2a8c4d17b3e9a5c6d7e';
  const ofOwner = { id: owned['subscriptionId'], applicationId: service.clientId, accountId: id };
  await database
    ?.insertInto('webhookSubscriptions')
    .values({ ...SUBSCRIPTION, ...ofOwner })
    .execute();
  owned['watchId'] = await createStoppedWatch(owner, id);
  // Listing executions first waits until the rows that the service writes in the background are stored.
  await owner.call('GET', '/v1/executions');
});
afterAll(() => service.stop());

const SHARED = {
  name: 'calendar',
  toolName: 'calendar_list_calendars',
  path: 'calendar/v3/users/me/calendarList',
};

const TABLES = [
  'connections',
  'accounts',
  'clientSecrets',
  'narrowedTokens',
  'dataKeys',
  'authorizationLinks',
  'callApprovals',
  'agentClients',
  'agentGrants',
  'webhookEndpoints',
  'events',
  'eventDeliveries',
  'watches',
  'webhookSubscriptions',
] as const;
const rowsOf = async (applicationId: string) =>
  Promise.all(
    TABLES.map((table) =>
      database
        ?.selectFrom(table)
        .selectAll()
        .where('applicationId', '=', applicationId)
        .orderBy('id')
        .execute(),
    ),
  );

const bodyOf = ({ method, path }: Operation): object | undefined => {
  if (path.includes('/approvals/')) return method === 'POST' ? { decision: 'approve' } : undefined;
  if (path.endsWith('/execute')) return { connectedAccountId: owned['id'], toolInput: {} };
  if (path.includes('/watches/')) return method === 'PATCH' ? { every: 60 } : undefined;
  if (path.includes('/webhook-endpoints/')) return method === 'PATCH' ? { ordered: true } : undefined;
  if (path.endsWith('/webhooks')) return method === 'POST' ? { trigger: SUBSCRIPTION.trigger } : undefined;
  return method === 'PATCH' && !path.includes('proxy') ? { scopes: [] } : undefined;
};

describe('A2: queries without their application filter', () => {
  test('neither return nor change rows of another application', async () => {
    const before = await rowsOf(service.clientId);
    // IDs and account data of the owner that the stranger never sends, so a response must not contain them.
    const foreign = [
      ...JSON.stringify(before).matchAll(
        /(?:conn|exec|secret|key|tok|appr|client|grant|ep|evt|dlv|watch|sub)_[0-9a-f]{24}/g,
      ),
    ].map(String);
    foreign.push(service.clientId, '"status":"authorized"');
    dropsFilter = true;
    const statuses = new Map<string, number>();
    for (const operation of operations.filter(({ path }) => path !== '/oauth/token')) {
      const path = fillPath(operation.path, { ...SHARED, ...owned });
      const reply = await stranger.call(operation.method, path, { body: bodyOf(operation) });
      const name = `${operation.method} ${operation.path}`;
      statuses.set(name, reply.status);
      const leaked = foreign.filter((text) => reply.text.includes(text));
      expect({ name, leaked }).toEqual({ name, leaked: [] });
    }
    dropsFilter = false;
    expect(foreign.length).toBeGreaterThan(3);
    expect(filterless.removed()).toBeGreaterThan(operations.length / 2);
    expect(await rowsOf(service.clientId)).toEqual(before);
    // Status 500 instead of 404 proves that the query found the row and the second check withheld it.
    expect(statuses.get('GET /v1/connections/{connectionName}')).toBe(500);
    expect(statuses.get('GET /v1/connections')).toBe(500);
    expect(statuses.get('GET /v1/accounts/{id}')).toBe(500);
  });

  test('return the rows of the application that owns them', async () => {
    dropsFilter = true;
    const { status } = await owner.call('GET', `/v1/accounts/${owned['id']}`);
    dropsFilter = false;
    expect(status).toBe(200);
  });
});
