import { ServiceError, wrongField } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { AgentClientRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newId, type Random } from '../text/random.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { checkRedirectUris } from './redirect-uris.js';

/**
 * OAuth client that an application registered for an MCP client. It has no secret, because programs on users' devices
 * cannot keep one.
 */
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

const MAX_CLIENTS = 50;
const CLIENT_ID = /^client_[0-9a-f]{24}$/;
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const MAX_NAME_CHARACTERS = 100;

/** True if the client's name has visible characters only, so that users can read it on the consent page. */
const isClientName = (name: string): boolean =>
  name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS && !UNREADABLE.test(name);

/**
 * Pattern of a host in parentheses, such as `(claude.ai)`. A client's own name must not match it, because the consent
 * page adds the host of a verified client in this form.
 */
const WITH_HOST = /\([^().]*\.[^()]*\)/;

/**
 * True if the name is readable and contains no host in parentheses. A client that chooses its own name could otherwise
 * imitate a verified host.
 */
export const isOwnName = (name: string): boolean =>
  isClientName(name) && !WITH_HOST.test(name.normalize('NFKC'));

/** Returns the client's name unchanged. Throws invalid_request if users could not read it. */
function checkClientName(name: string): string {
  if (isClientName(name)) return name;
  throw wrongField(
    'name',
    `A client's name must have 1 to ${MAX_NAME_CHARACTERS} visible characters. Users see it on the consent page.`,
  );
}

function toClient({ id, name, redirectUris, createdAt }: AgentClientRow): AgentClient {
  // The list of redirect URIs needs no validation, because only this module writes the database column.
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
    await commit(async ({ agentClients, applications }, audit) => {
      // The lock on the application serializes concurrent registrations, because they could otherwise exceed the
      // maximum number of clients.
      await applications.lock(applicationId);
      const known = await agentClients.list(applicationId);
      if (known.length >= MAX_CLIENTS)
        throw new ServiceError(
          'conflict',
          `The application already has the maximum of ${MAX_CLIENTS} MCP clients. Delete one of them first.`,
        );
      await agentClients.insert(row);
      audit({ action: 'agent_client.created', applicationId, object: row.id, reason: row.name });
    });
    return toClient(row);
  }

  async function list(applicationId: string): Promise<{ readonly items: readonly AgentClient[] }> {
    return {
      items: (await storage.agentClients.list(applicationId)).map(toClient),
    };
  }

  /** Deletes an MCP client and revokes all grants that users gave it. */
  async function remove(applicationId: string, id: string): Promise<void> {
    const wasThere = await commit(async ({ agentClients, agentGrants }, audit) => {
      if (!(await agentClients.delete(applicationId, id))) return false;
      audit({ action: 'agent_client.deleted', applicationId, object: id });
      for (const grantId of await agentGrants.revokeByClient(applicationId, id, now()))
        audit({
          action: 'agent_grant.revoked',
          applicationId,
          object: grantId,
          reason: 'client_deleted',
        });
      return true;
    });
    narrowedTokens.clearCache();
    if (!wasThere)
      throw new ServiceError(
        'not_found',
        `There is no MCP client "${id}". GET /v1/agent-clients lists the MCP clients.`,
      );
  }

  async function find(applicationId: string, id: string): Promise<AgentClient | undefined> {
    if (!CLIENT_ID.test(id)) return undefined;
    const row = await storage.agentClients.find(applicationId, id);
    return row && toClient(row);
  }

  return { create, list, delete: remove, find };
}

export type AgentClients = ReturnType<typeof createAgentClients>;
