import { problemsBy } from '../connections/endpoint.js';
import { ServiceError } from '../errors.js';
import { AGENT_ORIGINS, type IsAllowedOrigin } from '../names/allowed-origins.js';
import { createReadClientDocument } from '../oauth/client-document.js';
import type { MetadataParts } from '../oauth/metadata-document.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Tables } from '../storage/storage.js';
import type { AgentAccess } from './agent-access.js';
import { type AgentClients, isOwnName } from './agent-clients.js';
import { checkRedirectUris } from './redirect-uris.js';
import type { Registrations } from './registrations.js';

/** A client as a sign-in needs to know it. */
export interface FoundClient {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface FindClientParts {
  readonly agentClients: Pick<AgentClients, 'find'>;
  readonly registrations: Pick<Registrations, 'find'>;
  readonly fetch: MetadataParts['fetch'];
  readonly isAllowedOrigin: IsAllowedOrigin;
}

/** The client of an id; `undefined` where there is none. Throws where its own document cannot be used. */
export type FindClient = (applicationId: string, clientId: string) => Promise<FoundClient | undefined>;

const LONGEST_URL = 512;

/** Whether a client registered itself: its id holds what it said. */
const isRegistered = (clientId: string): boolean => clientId.startsWith('reg_');

/** Whether the id of a client is the address of a document about it. */
const isPublished = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** Whether the client that a sign-in was begun for is none that the application has sent away since. */
export async function isKnownStill(
  { applicationId, clientId }: Pick<AgentSignInRow, 'applicationId' | 'clientId'>,
  agentClients: Pick<Tables['agentClients'], 'hold'>,
  { registration }: Pick<AgentAccess, 'registration'>,
): Promise<boolean> {
  if (isRegistered(clientId)) return registration;
  // Its document is its own to change.
  return isPublished(clientId) || agentClients.hold(applicationId, clientId);
}

/** The client chose its name, but not whose address its id is: both are what its user reads. */
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

/** Clients that the application made known, that registered, and whose id is the address of a document about them. */
export function createFindClient(parts: FindClientParts): FindClient {
  const { agentClients, registrations, fetch, isAllowedOrigin } = parts;
  const readDocument = createReadClientDocument({
    fetch,
    problemOf: problemsBy(isAllowedOrigin),
  });

  async function findPublished(clientId: string): Promise<FoundClient> {
    const { name, redirectUris } = await readDocument(clientId, AGENT_ORIGINS);
    return { name: toNamed(clientId, name), redirectUris: checkRedirectUris(redirectUris) };
  }

  return async (applicationId, clientId) => {
    if (isRegistered(clientId)) return registrations.find(applicationId, clientId);
    if (!isPublished(clientId)) return agentClients.find(applicationId, clientId);
    if (clientId.length > LONGEST_URL) return undefined;
    return findPublished(clientId).catch((error: unknown) => {
      throw toExplained(error);
    });
  };
}
