import { ServiceError, wrongField } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { AgentClientRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { checkRedirectUris } from './redirect-uris.js';

/** An MCP client that an application made known. It has no secret: what is installed on devices keeps none. */
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

export interface AgentClients {
  create(applicationId: string, wish: Pick<AgentClient, 'name' | 'redirectUris'>): Promise<AgentClient>;
  list(applicationId: string): Promise<{ readonly items: readonly AgentClient[] }>;
  /** With everything that users gave it. */
  delete(applicationId: string, id: string): Promise<void>;
  find(applicationId: string, id: string): Promise<AgentClient | undefined>;
}

const MOST = 50;
const CLIENT_ID = /^client_[0-9a-f]{24}$/;
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const LONGEST_NAME = 100;

/** Whether it is what a user can read on the consent page. */
const isClientName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && !UNREADABLE.test(name);

/** `(claude.ai)`: so stands on that page whose the address of a client is, where that is known. */
const WITH_HOST = /\([^().]*\.[^()]*\)/;

/** The same of a name that a client gives itself, which must not look as if somebody had looked whose it is. */
export const isOwnName = (name: string): boolean =>
  isClientName(name) && !WITH_HOST.test(name.normalize('NFKC'));

/** Throws invalid_request. */
function checkClientName(name: string): string {
  if (isClientName(name)) return name;
  throw wrongField(
    'name',
    `A client's name has 1 to ${LONGEST_NAME} characters and no invisible ones; it is what users read on the consent page.`,
  );
}

function toClient({ id, name, redirectUris, createdAt }: AgentClientRow): AgentClient {
  // This module wrote it.
  const uris: readonly string[] = JSON.parse(redirectUris);
  return { id, name, redirectUris: uris, createdAt: new Date(createdAt).toISOString() };
}

export function createAgentClients(parts: AgentClientsParts): AgentClients {
  const { storage, commit, narrowedTokens, now, random } = parts;
  return {
    async create(applicationId, { name, redirectUris }) {
      const row: AgentClientRow = {
        id: newId('client', random),
        applicationId,
        name: checkClientName(name),
        redirectUris: JSON.stringify(checkRedirectUris(redirectUris)),
        createdAt: now(),
      };
      await commit(async ({ agentClients, applications }, tell) => {
        // Held, so that of several that are made at once none is counted before another.
        await applications.lock(applicationId);
        const known = await agentClients.list(applicationId);
        if (known.length >= MOST)
          throw new ServiceError(
            'conflict',
            `An application knows ${MOST} clients at most: delete one first.`,
          );
        await agentClients.insert(row);
        tell({ action: 'agent_client.created', applicationId, object: row.id, reason: row.name });
      });
      return toClient(row);
    },

    list: async (applicationId) => ({
      items: (await storage.agentClients.list(applicationId)).map(toClient),
    }),

    async delete(applicationId, id) {
      const wasThere = await commit(async ({ agentClients, agentGrants }, tell) => {
        if (!(await agentClients.delete(applicationId, id))) return false;
        tell({ action: 'agent_client.deleted', applicationId, object: id });
        for (const grantId of await agentGrants.revokeByClient(applicationId, id, now()))
          tell({ action: 'agent_grant.revoked', applicationId, object: grantId, reason: 'client_deleted' });
        return true;
      });
      narrowedTokens.clearCache();
      if (!wasThere) throw new ServiceError('not_found', `There is no client "${id}".`);
    },

    async find(applicationId, id) {
      if (!CLIENT_ID.test(id)) return undefined;
      const row = await storage.agentClients.find(applicationId, id);
      return row && toClient(row);
    },
  };
}
