import type { FastifyInstance } from 'fastify';
import type { CallApprovals } from '../../approvals/call-approvals.js';
import type { AccountList } from '../../connections/account-list.js';
import type { Connections } from '../../connections/connections.js';
import type { Deliveries } from '../../events/deliveries.js';
import type { GrantedList } from '../../grants/granted-list.js';
import { belongingTo } from '../../listener/list-schema.js';
import type { RowCount } from '../../page.js';
import type { ExecutionLog } from '../../records/execution-log.js';
import type { NarrowedTokens, TokenFilter } from '../../tokens/narrowed-tokens.js';
import { accountFilters } from '../account-schemas.js';
import { approvalFilters } from '../approval-routes.js';
import { deliveryFilters } from '../delivery-routes.js';
import { executionFilters } from '../execution-routes.js';
import { type Counted, countSchema } from './count-schema.js';

interface CountParts {
  readonly accountList: Pick<AccountList, 'count'>;
  readonly callApprovals: Pick<CallApprovals, 'count'>;
  readonly connections: Pick<Connections, 'count'>;
  readonly deliveries: Pick<Deliveries, 'count'>;
  readonly executionLog: Pick<ExecutionLog, 'count'>;
  readonly grantedList: Pick<GrantedList, 'count'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'count'>;
}

interface CountedList<Filter> extends Counted {
  /** Path of the list, such as `/approvals`. */
  readonly path: string;
  readonly count: (applicationId: string, filter: Filter) => Promise<RowCount>;
}

function addCount<Filter>(app: FastifyInstance, { path, count, ...counted }: CountedList<Filter>): void {
  app.get(`${path}/count`, { schema: countSchema(counted) }, ({ applicationId, query }) =>
    // The cast is safe, because the schema has checked the query.
    count(applicationId, query as Filter),
  );
}

function addAccountCounts(app: FastifyInstance, parts: CountParts): void {
  addCount(app, {
    path: '/connections',
    tag: 'connections',
    operation: 'Connections',
    things: 'connections',
    count: parts.connections.count,
  });
  addCount(app, {
    path: '/accounts',
    tag: 'accounts',
    operation: 'Accounts',
    things: 'accounts',
    filters: accountFilters,
    errors: ['connection_not_found'],
    count: parts.accountList.count,
  });
}

function addCallCounts(app: FastifyInstance, parts: CountParts): void {
  addCount(app, {
    path: '/executions',
    tag: 'executions',
    operation: 'Executions',
    things: 'executions',
    filters: executionFilters,
    count: parts.executionLog.count,
  });
  addCount(app, {
    path: '/approvals',
    tag: 'approvals',
    operation: 'Approvals',
    things: 'approvals',
    filters: approvalFilters,
    count: parts.callApprovals.count,
  });
  addCount(app, {
    path: '/deliveries',
    tag: 'webhooks',
    operation: 'Deliveries',
    things: 'deliveries',
    filters: deliveryFilters,
    count: parts.deliveries.count,
  });
}

function addAccessCounts(app: FastifyInstance, { grantedList, narrowedTokens }: CountParts): void {
  addCount(app, {
    path: '/agent-grants',
    tag: 'agents',
    operation: 'AgentGrants',
    things: 'grants of users to MCP clients',
    filters: { identifier: belongingTo('grants').identifier },
    count: grantedList.count,
  });
  for (const kind of ['agent', 'account'] as const)
    addCount(app, {
      path: `/${kind}-tokens`,
      tag: 'tokens',
      operation: kind === 'agent' ? 'AgentTokens' : 'AccountTokens',
      things: `${kind} tokens`,
      filters: { identifier: belongingTo('tokens').identifier },
      count: (applicationId, filter: TokenFilter) => narrowedTokens.count(applicationId, kind, filter),
    });
}

/** Adds the operations that count the lists of one application. A hook of `app` must authenticate operators. */
export function addCountRoutes(app: FastifyInstance, parts: CountParts): void {
  addAccountCounts(app, parts);
  addCallCounts(app, parts);
  addAccessCounts(app, parts);
}
