import type { FastifyInstance } from 'fastify';
import type { CallApproval } from '../../approvals/call-approval.js';
import type { CallApprovals } from '../../approvals/call-approvals.js';
import type { Deliveries } from '../../events/deliveries.js';
import type { GrantedList, ListedGrant } from '../../grants/granted-list.js';
import { closed, named, type Schema } from '../../listener/list-schema.js';
import type { Page, PageRequest } from '../../page.js';
import type { ExecutionLog } from '../../records/execution-log.js';
import type { ListedToken, NarrowedTokens } from '../../tokens/narrowed-tokens.js';
import { approvalFilters } from '../approval-routes.js';
import { deliveryFilters } from '../delivery-routes.js';
import { executionFilters } from '../execution-routes.js';
import { exportResponse, readPages, sendExport } from './export-text.js';

type Read<Item> = (applicationId: string, query: PageRequest) => Promise<Page<Item>>;

interface List<Item> {
  /** Path of the list, such as `/approvals`. */
  readonly path: string;
  readonly tag: string;
  /** End of the operation ids, such as `Approvals`. */
  readonly operation: string;
  /** Name of the items in texts, such as `approvals`. */
  readonly things: string;
  readonly filters: Readonly<Record<string, Schema>>;
  readonly read: Read<Item>;
}

type Cells = Readonly<Record<string, string | number | null | undefined>>;

interface ExportedList<Item> extends List<Item> {
  readonly columns: readonly string[];
  readonly toCells: (item: Item) => Cells;
}

const MOST_COUNTED = 1000;
const PAGE_ROWS = 500;
/** Maximum number of pages that a count reads. Pages of a filtered list can be short although a next page exists. */
const MOST_PAGES = 4;

const counted = named(
  'ListCount',
  closed({
    count: { type: 'integer', description: 'Number of items, at most 1,000.' },
    more: { type: 'boolean', description: 'True if there may be more items than `count`.' },
  }),
  { count: 1000, more: true },
);

async function countItems(read: (page: PageRequest) => Promise<Page<unknown>>) {
  let count = 0;
  let pageToken: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, nextPageToken } = await read({ pageSize: PAGE_ROWS, pageToken });
    count += items.length;
    if (nextPageToken === undefined) return { count, more: false };
    if (count >= MOST_COUNTED) break;
    pageToken = nextPageToken;
  }
  return { count: Math.min(count, MOST_COUNTED), more: true };
}

function addCount<Item>(
  app: FastifyInstance,
  { path, tag, operation, things, filters, read }: List<Item>,
): void {
  const schema = {
    operationId: `count${operation}`,
    tags: [tag],
    summary: `Count ${things}`,
    description: `Counts the ${things} that match the filters, up to 1,000. Reads at most four pages of the list.`,
    querystring: closed(filters, []),
    response: { 200: counted },
  };
  app.get<{ Querystring: PageRequest }>(`${path}/count`, { schema }, ({ applicationId, query }) =>
    countItems((page) => read(applicationId, { ...query, ...page })),
  );
}

async function* toRows<Item>(
  items: AsyncIterable<Item>,
  toCells: (item: Item) => Cells,
): AsyncIterable<Cells> {
  for await (const item of items) yield toCells(item);
}

function addExport<Item>(app: FastifyInstance, list: ExportedList<Item>): void {
  const { path, tag, operation, things, filters, read, columns, toCells } = list;
  const schema = {
    operationId: `export${operation}`,
    tags: [tag],
    summary: `Download ${things} as CSV`,
    description:
      'The downloaded CSV file has at most 100,000 rows. An apostrophe precedes values that a spreadsheet would run as formulas.',
    querystring: closed(filters, []),
    response: exportResponse(['csv'], 'id,createdAt\r\n'),
  };
  app.get<{ Querystring: PageRequest }>(
    `${path}/export`,
    { schema },
    async ({ applicationId, query }, reply) => {
      const items = readPages((page) => read(applicationId, { ...query, ...page }));
      return sendExport(reply, toRows(items, toCells), { name: path.slice(1), columns, format: 'csv' });
    },
  );
}

const identifier = {
  type: 'string',
  maxLength: 256,
  examples: ['ada'],
  description: 'Only items of the user with this identifier.',
};

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

interface ListParts {
  readonly callApprovals: Pick<CallApprovals, 'list'>;
  readonly deliveries: Pick<Deliveries, 'list'>;
  readonly executionLog: Pick<ExecutionLog, 'list'>;
  readonly grantedList: Pick<GrantedList, 'list'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'list'>;
}

function addTokenLists(app: FastifyInstance, { narrowedTokens }: Pick<ListParts, 'narrowedTokens'>): void {
  for (const kind of ['agent', 'account'] as const) {
    const list = {
      path: `/${kind}-tokens`,
      tag: 'tokens',
      operation: kind === 'agent' ? 'AgentTokens' : 'AccountTokens',
      things: kind === 'agent' ? 'agent tokens' : 'account tokens',
      filters: { identifier },
      read: (applicationId: string, query: PageRequest) => narrowedTokens.list(applicationId, kind, query),
      columns: ['id', 'identifier', 'limits', 'createdAt', 'expiresAt', 'revokedAt'],
      toCells: tokenCells,
    };
    addCount(app, list);
    addExport(app, list);
  }
}

function addApprovalLists(app: FastifyInstance, { callApprovals }: Pick<ListParts, 'callApprovals'>): void {
  const list = {
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
  };
  addCount(app, list);
  addExport(app, list);
}

function addGrantLists(app: FastifyInstance, { grantedList }: Pick<ListParts, 'grantedList'>): void {
  const list = {
    path: '/agent-grants',
    tag: 'agents',
    operation: 'AgentGrants',
    things: 'grants of users to MCP clients',
    filters: { identifier },
    read: grantedList.list,
    columns: [
      ...['id', 'identifier', 'clientName', 'clientId', 'resource', 'scope'],
      ...['createdAt', 'usedAt', 'expiresAt', 'revokedAt'],
    ],
    toCells: grantCells,
  };
  addCount(app, list);
  addExport(app, list);
}

/** Adds the operations that count and export lists of one application. A hook of `app` must authenticate operators. */
export function addListRoutes(app: FastifyInstance, parts: ListParts): void {
  const { deliveries, executionLog } = parts;
  addApprovalLists(app, parts);
  addGrantLists(app, parts);
  addTokenLists(app, parts);
  addCount(app, {
    path: '/executions',
    tag: 'executions',
    operation: 'Executions',
    things: 'executions',
    filters: executionFilters,
    read: executionLog.list,
  });
  addCount(app, {
    path: '/deliveries',
    tag: 'webhooks',
    operation: 'Deliveries',
    things: 'deliveries',
    filters: deliveryFilters,
    read: deliveries.list,
  });
}
