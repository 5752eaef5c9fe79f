import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { AgentGrantRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import type { AgentGrants } from './agent-grants.js';
import { readLinks } from './ask.js';
import { scopeOfLinks } from './read-request.js';

/** What a user gave a client, without its tokens. */
export interface ListedGrant {
  readonly id: string;
  readonly identifier: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly resource: string;
  readonly scope: string;
  readonly createdAt: string;
  /** When a token of it was made last. */
  readonly usedAt: string;
  readonly expiresAt: string;
  /** `null` while it is not revoked. */
  readonly revokedAt: string | null;
}

export interface GrantQuery extends PageRequest {
  readonly identifier?: string;
}

export interface GrantedListParts {
  readonly storage: Pick<Storage, 'agentGrants'>;
  readonly agentGrants: Pick<AgentGrants, 'revoke'>;
}

/** What users gave, as their application sees it. */
export interface GrantedList {
  /** Newest first. */
  list(applicationId: string, query: GrantQuery): Promise<Page<ListedGrant>>;
  /** Ends it with every token of it. */
  revoke(applicationId: string, id: string): Promise<void>;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

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
  createdAt: toTime(row.createdAt),
  usedAt: toTime(row.usedAt),
  expiresAt: toTime(row.expiresAt),
  revokedAt: row.revokedAt === null ? null : toTime(row.revokedAt),
});

export const createGrantedList = ({ storage, agentGrants }: GrantedListParts): GrantedList => ({
  async list(applicationId, query) {
    const place = readCursor(query);
    const before = place && { createdAt: place.at, id: place.id };
    const limit = pageSizeOf(query) + 1;
    const rows = await storage.agentGrants.list(applicationId, {
      identifier: query.identifier,
      before,
      limit,
    });
    return toPage(rows, query, { keys: (row) => [String(row.createdAt), row.id], item: toListed });
  },

  async revoke(applicationId, id) {
    if (await agentGrants.revoke({ applicationId, id }, 'revoked')) return;
    throw new ServiceError('not_found', `There is no grant "${id}" that is not revoked.`);
  },
});
