import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Tables } from '../storage/storage.js';
import type { AgentAccess } from './agent-access.js';

/** Whether a client registered itself: its id holds what it said. */
export const isRegistered = (clientId: string): boolean => clientId.startsWith('reg_');

/** Whether the id of a client is the address of a document about it. */
export const isPublished = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** Whether the client that a sign-in was begun for is none that the application has sent away since. */
export async function isKnownStill(
  { applicationId, clientId }: Pick<AgentSignInRow, 'applicationId' | 'clientId'>,
  agentClients: Pick<Tables['agentClients'], 'lock'>,
  { registration }: Pick<AgentAccess, 'registration'>,
): Promise<boolean> {
  if (isRegistered(clientId)) return registration;
  // Its document is its own to change.
  return isPublished(clientId) || agentClients.lock(applicationId, clientId);
}
