import { ServiceError, wrongField } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { AgentClientRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { checkRedirectUris } from './redirect-uris.js';

/** An MCP client that an application registered. It has no secret, because programs on devices cannot keep one. */
export interface AgentClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: string;
}

export interface AgentClientsParts {
  readonly storage: Pick<Storage, 'agentClients'>;
  readonly commit: Commit;
  readonly narrowedTokens: Pick<NarrowedTokens, 'clearCache'>;
  readonly now: () => number;
  readonly random: Random;
}

const MOST = 50;
const CLIENT_ID = /^client_[0-9a-f]{24}$/;
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const LONGEST_NAME = 100;

/** True if users can read the name on the consent page. */
const isClientName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && !UNREADABLE.test(name);

/** A host in parentheses, such as `(claude.ai)`, by which the consent page shows a verified host. */
const WITH_HOST = /\([^().]*\.[^()]*\)/;

/** True if users can read a name that a client chose, and the name does not imitate a verified host. */
export const isOwnName = (name: string): boolean =>
  isClientName(name) && !WITH_HOST.test(name.normalize('NFKC'));

/** Throws invalid_request. */
function checkClientName(name: string): string {
  if (isClientName(name)) return name;
  throw wrongField(
    'name',
    `A client's name must have 1 to ${LONGEST_NAME} visible characters. Users see it on the consent page.`,
  );
}

function toClient({ id, name, redirectUris, createdAt }: AgentClientRow): AgentClient {
  // Only this module writes the column.
  const uris: readonly string[] = JSON.parse(redirectUris);
  return { id, name, redirectUris: uris, createdAt: isoTime(createdAt) };
}

export function createAgentClients(parts: AgentClientsParts) {
  const { storage, commit, narrowedTokens, now, random } = parts;
  async function create(
    applicationId: string,
    { name, redirectUris }: Pick<AgentClient, 'name' | 'redirectUris'>,
  ): Promise<AgentClient> {
    const row: AgentClientRow = {
      id: newId('client', random),
      applicationId,
      name: checkClientName(name),
      redirectUris: JSON.stringify(checkRedirectUris(redirectUris)),
      createdAt: now(),
    };
    await commit(async ({ agentClients, applications }, tell) => {
      // The lock serializes concurrent registrations, so that the count is right.
      await applications.lock(applicationId);
      const known = await agentClients.list(applicationId);
      if (known.length >= MOST)
        throw new ServiceError(
          'conflict',
          `An application may have at most ${MOST} clients. Delete one first.`,
        );
      await agentClients.insert(row);
      tell({ action: 'agent_client.created', applicationId, object: row.id, reason: row.name });
    });
    return toClient(row);
  }

  async function list(applicationId: string): Promise<{ readonly items: readonly AgentClient[] }> {
    return {
      items: (await storage.agentClients.list(applicationId)).map(toClient),
    };
  }

  /** Deletes the client and revokes all its grants. */
  async function remove(applicationId: string, id: string): Promise<void> {
    const wasThere = await commit(async ({ agentClients, agentGrants }, tell) => {
      if (!(await agentClients.delete(applicationId, id))) return false;
      tell({ action: 'agent_client.deleted', applicationId, object: id });
      for (const grantId of await agentGrants.revokeByClient(applicationId, id, now()))
        tell({ action: 'agent_grant.revoked', applicationId, object: grantId, reason: 'client_deleted' });
      return true;
    });
    narrowedTokens.clearCache();
    if (!wasThere) throw new ServiceError('not_found', `There is no client "${id}".`);
  }

  async function find(applicationId: string, id: string): Promise<AgentClient | undefined> {
    if (!CLIENT_ID.test(id)) return undefined;
    const row = await storage.agentClients.find(applicationId, id);
    return row && toClient(row);
  }

  return { create, list, delete: remove, find };
}

export type AgentClients = ReturnType<typeof createAgentClients>;
