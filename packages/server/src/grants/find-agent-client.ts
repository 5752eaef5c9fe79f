import { createProblemOf } from '../connections/endpoint-url.js';
import { ServiceError } from '../errors.js';
import { AGENT_ORIGINS, type IsAllowedOrigin } from '../names/allowed-origins.js';
import { createReadClientDocument } from '../oauth/client-document.js';
import type { MetadataAccess } from '../oauth/metadata-document.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Tables } from '../storage/storage.js';
import type { AgentAccess } from './agent-access.js';
import { type AgentClients, isOwnName } from './agent-clients.js';
import { checkRedirectUris } from './redirect-uris.js';
import type { Registrations } from './registrations.js';

/** Properties of a client that a sign-in needs. */
export interface FoundClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface FindAgentClientParts {
  readonly agentClients: Pick<AgentClients, 'find'>;
  readonly registrations: Pick<Registrations, 'find'>;
  readonly fetch: MetadataAccess['fetch'];
  readonly isAllowedOrigin: IsAllowedOrigin;
}

const LONGEST_URL = 512;

/** True for a client that registered itself. Its id contains its registration. */
export const isSelfRegistered = (clientId: string): boolean => clientId.startsWith('reg_');

/** True for a client whose id is the URL of its metadata document. */
const isPublished = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** True if the client of a sign-in may still be used: it is registered, and the application has not removed it. */
export async function isKnownStill(
  { applicationId, clientId }: Pick<AgentSignInRow, 'applicationId' | 'clientId'>,
  agentClients: Pick<Tables['agentClients'], 'lock'>,
  { registration }: Pick<AgentAccess, 'registration'>,
): Promise<boolean> {
  if (isSelfRegistered(clientId)) return registration;
  // A client with a metadata document cannot be removed by the application.
  return isPublished(clientId) || agentClients.lock(applicationId, clientId);
}

/** Adds the host of the client id to the name, because the client can choose its name but not its host. */
function toNamed(clientId: string, name: string | undefined): string {
  const { hostname } = new URL(clientId);
  return name !== undefined && isOwnName(name) ? `${name} (${hostname})` : hostname;
}

function toExplained(error: unknown): unknown {
  if (error instanceof OAuthError && error.failure === 'unavailable')
    return new ServiceError('unavailable', error.message, { reason: 'client_away' });
  const isKnown = error instanceof OAuthError || (error instanceof ServiceError && error.status < 500);
  return isKnown ? new ServiceError('invalid_request', error.message, { reason: 'client_unknown' }) : error;
}

export function createFindAgentClient(parts: FindAgentClientParts) {
  const { agentClients, registrations, fetch, isAllowedOrigin } = parts;
  const readDocument = createReadClientDocument({
    fetch,
    problemOf: createProblemOf(isAllowedOrigin),
  });

  async function findPublished(clientId: string): Promise<FoundClient> {
    const { name, redirectUris } = await readDocument(clientId, AGENT_ORIGINS);
    return { name: toNamed(clientId, name), redirectUris: checkRedirectUris(redirectUris) };
  }

  /**
   * Finds a client that the application registered, that registered itself, or whose id is the URL of its document; `undefined`
   * if there is none. Throws for an unusable document.
   */
  async function findAgentClient(applicationId: string, clientId: string): Promise<FoundClient | undefined> {
    if (isSelfRegistered(clientId)) return registrations.find(applicationId, clientId);
    if (!isPublished(clientId)) return agentClients.find(applicationId, clientId);
    if (clientId.length > LONGEST_URL) return undefined;
    return findPublished(clientId).catch((error: unknown) => {
      throw toExplained(error);
    });
  }
  return findAgentClient;
}

export type FindAgentClient = ReturnType<typeof createFindAgentClient>;
