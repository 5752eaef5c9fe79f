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

/** Properties of an MCP client that the sign-in of a user needs. */
export interface AgentClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface FindAgentClientParts {
  readonly agentClients: Pick<AgentClients, 'find'>;
  readonly registrations: Pick<Registrations, 'find'>;
  readonly fetch: MetadataAccess['fetch'];
  readonly isAllowedOrigin: IsAllowedOrigin;
}

const MAX_URL_CHARACTERS = 512;

/**
 * True for the id of a client that used dynamic registration. The id contains the client's signed name and redirect
 * URIs.
 */
export const isSelfRegistered = (clientId: string): boolean => clientId.startsWith('reg_');

/** True for a client id that is the URL of the client's metadata document. */
const isPublished = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/**
 * True if the MCP client still exists when its authorization code is exchanged. The application may have removed the
 * client after the user's sign-in.
 */
export async function isKnownStill(
  { applicationId, clientId }: Pick<AgentSignInRow, 'applicationId' | 'clientId'>,
  agentClients: Pick<Tables['agentClients'], 'lock'>,
  { registration }: Pick<AgentAccess, 'registration'>,
): Promise<boolean> {
  if (isSelfRegistered(clientId)) return registration;
  // `lock` finds the row of the client and keeps it until the end of the transaction. A client with a metadata document
  // has no row, and cannot be removed.
  return isPublished(clientId) || agentClients.lock(applicationId, clientId);
}

/** Appends the host of the client id to the client's name. A client can choose its name but not its host. */
function clientNameOf(clientId: string, name: string | undefined): string {
  const { hostname } = new URL(clientId);
  return name !== undefined && isOwnName(name) ? `${name} (${hostname})` : hostname;
}

const CLIENT_AWAY =
  "The client's metadata document could not be read, because the server of the document could not be reached in time. Retry later.";

function toExplained(error: unknown): unknown {
  if (error instanceof OAuthError && error.failure === 'unavailable')
    return new ServiceError('unavailable', CLIENT_AWAY, { reason: 'client_away' }, { cause: error });
  const isKnown = error instanceof OAuthError || (error instanceof ServiceError && error.status < 500);
  return isKnown ? new ServiceError('invalid_request', error.message, { reason: 'client_unknown' }) : error;
}

export function createFindAgentClient(parts: FindAgentClientParts) {
  const { agentClients, registrations, fetch, isAllowedOrigin } = parts;
  const readDocument = createReadClientDocument({
    fetch,
    problemOf: createProblemOf(isAllowedOrigin),
  });

  async function findPublished(clientId: string): Promise<AgentClient> {
    const { name, redirectUris } = await readDocument(clientId, AGENT_ORIGINS);
    return { name: clientNameOf(clientId, name), redirectUris: checkRedirectUris(redirectUris) };
  }

  /**
   * Finds a client by its id: registered by the application, registered dynamically, or described by a metadata
   * document. Resolves to `undefined` if none exists. Throws for an invalid document.
   */
  async function findAgentClient(applicationId: string, clientId: string): Promise<AgentClient | undefined> {
    if (isSelfRegistered(clientId)) return registrations.find(applicationId, clientId);
    if (!isPublished(clientId)) return agentClients.find(applicationId, clientId);
    if (clientId.length > MAX_URL_CHARACTERS) return undefined;
    return findPublished(clientId).catch((error: unknown) => {
      throw toExplained(error);
    });
  }
  return findAgentClient;
}

export type FindAgentClient = ReturnType<typeof createFindAgentClient>;
