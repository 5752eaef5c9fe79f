import { ServiceError } from '../errors.js';
import {
  type Page,
  type PageRequest,
  pageSizeOf,
  type RowCount,
  readCursor,
  type TimeOrder,
  toPage,
} from '../page.js';
import type { AgentGrantRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import type { AgentGrants } from './agent-grants.js';
import { readLinks } from './grant-request.js';
import { scopeOfLinks } from './read-request.js';

/** Grant of a user to an MCP client, as the API lists it. It contains no tokens. */
export interface ListedGrant {
  readonly id: string;
  readonly identifier: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly resource: string;
  readonly scope: string;
  readonly createdAt: string;
  /** Time at which the client last got a token, in ISO 8601. */
  readonly usedAt: string;
  readonly expiresAt: string;
  /** Time of the revocation in ISO 8601. `null` while the grant is not revoked. */
  readonly revokedAt: string | null;
}

export interface GrantQuery extends PageRequest {
  readonly identifier?: string;
  readonly order?: TimeOrder;
}

const toListed = ({
  id,
  identifier,
  clientId,
  clientName,
  resource,
  ...row
}: AgentGrantRow): ListedGrant => ({
  id,
  identifier,
  clientId,
  clientName,
  resource,
  scope: scopeOfLinks(readLinks(row.limits)),
  createdAt: isoTime(row.createdAt),
  usedAt: isoTime(row.usedAt),
  expiresAt: isoTime(row.expiresAt),
  revokedAt: row.revokedAt === null ? null : isoTime(row.revokedAt),
});

/** Creates the operations that list and revoke the grants of an application's users. */
export function createGrantedList({
  storage,
  agentGrants,
}: {
  readonly storage: Pick<Storage, 'agentGrants'>;
  readonly agentGrants: Pick<AgentGrants, 'revoke'>;
}) {
  /** Lists the grants of an application's users, newest first by default. */
  async function list(applicationId: string, query: GrantQuery): Promise<Page<ListedGrant>> {
    const cursor = readCursor(query);
    const rows = await storage.agentGrants.list(applicationId, {
      identifier: query.identifier,
      oldestFirst: query.order === 'oldest',
      after: cursor && { createdAt: cursor.at, id: cursor.id },
      limit: pageSizeOf(query) + 1,
    });
    return toPage(rows, query, { keys: (row) => [String(row.createdAt), row.id], item: toListed });
  }

  const count = (applicationId: string, filter: Pick<GrantQuery, 'identifier'>): Promise<RowCount> =>
    storage.agentGrants.countListed(applicationId, filter);

  /**
   * Revokes a grant, which makes all its tokens invalid. Throws not_found if it does not exist or is already revoked.
   */
  async function revoke(applicationId: string, id: string): Promise<void> {
    if (await agentGrants.revoke({ applicationId, id }, 'revoked')) return;
    throw new ServiceError(
      'not_found',
      `There is no grant "${id}", or it is already revoked. GET /v1/agent-grants lists the grants.`,
    );
  }

  return { list, count, revoke };
}

export type GrantedList = ReturnType<typeof createGrantedList>;
