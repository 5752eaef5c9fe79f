import type { FastifyInstance } from 'fastify';
import type { CallApproval } from '../../approvals/call-approval.js';
import type { CallApprovals } from '../../approvals/call-approvals.js';
import type { GrantedList, ListedGrant } from '../../grants/granted-list.js';
import { belongingTo } from '../../listener/list-schema.js';
import type { PageRequest } from '../../page.js';
import type { ListedToken, NarrowedTokens } from '../../tokens/narrowed-tokens.js';
import { approvalFilters } from '../approval-routes.js';
import { addExport, type Cells } from './add-export.js';

const approvalCells = (approval: CallApproval): Cells => {
  const { toolInput: _hidden, object, ...cells } = approval;
  return { ...cells, object: object?.title };
};

const tokenCells = ({ limits, ...token }: ListedToken): Cells => ({
  ...token,
  identifier: limits.identifier,
  limits: JSON.stringify(limits),
});

const grantCells = (grant: ListedGrant): Cells => ({ ...grant });

interface ExportAccessParts {
  readonly callApprovals: Pick<CallApprovals, 'list'>;
  readonly grantedList: Pick<GrantedList, 'list'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'list'>;
}

function addTokenExports(
  app: FastifyInstance,
  { narrowedTokens }: Pick<ExportAccessParts, 'narrowedTokens'>,
): void {
  for (const kind of ['agent', 'account'] as const) {
    addExport(app, {
      path: `/${kind}-tokens`,
      tag: 'tokens',
      operation: kind === 'agent' ? 'AgentTokens' : 'AccountTokens',
      things: kind === 'agent' ? 'agent tokens' : 'account tokens',
      filters: { identifier: belongingTo('tokens').identifier },
      read: (applicationId: string, query: PageRequest) => narrowedTokens.list(applicationId, kind, query),
      columns: ['id', 'identifier', 'limits', 'createdAt', 'expiresAt', 'revokedAt'],
      toCells: tokenCells,
    });
  }
}

function addApprovalExport(
  app: FastifyInstance,
  { callApprovals }: Pick<ExportAccessParts, 'callApprovals'>,
): void {
  addExport(app, {
    path: '/approvals',
    tag: 'approvals',
    operation: 'Approvals',
    things: 'approvals',
    filters: approvalFilters,
    read: callApprovals.list,
    columns: [
      ...['id', 'createdAt', 'sentence', 'object', 'toolName', 'identifier', 'account', 'connectionName'],
      ...['status', 'requestedBy', 'expiresAt', 'decidedBy', 'decidedAt', 'reason', 'executionId'],
    ],
    toCells: approvalCells,
  });
}

function addGrantExport(app: FastifyInstance, { grantedList }: Pick<ExportAccessParts, 'grantedList'>): void {
  addExport(app, {
    path: '/agent-grants',
    tag: 'agents',
    operation: 'AgentGrants',
    things: 'grants of users to MCP clients',
    filters: { identifier: belongingTo('grants').identifier },
    read: grantedList.list,
    columns: [
      ...['id', 'identifier', 'clientName', 'clientId', 'resource', 'scope'],
      ...['createdAt', 'usedAt', 'expiresAt', 'revokedAt'],
    ],
    toCells: grantCells,
  });
}

/** Adds routes that export approvals, grants and tokens as CSV. A hook of `app` must authenticate operators. */
export function addExportAccessRoutes(app: FastifyInstance, parts: ExportAccessParts): void {
  addApprovalExport(app, parts);
  addGrantExport(app, parts);
  addTokenExports(app, parts);
}
