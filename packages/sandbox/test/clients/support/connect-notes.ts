import type { Sandbox } from '../../../src/index.js';
import { registeredClient, tokensOf } from '../../mcp/notes-client.js';

/** The access token of a client that registered itself. */
export async function connectNotes(sandbox: Sandbox): Promise<string> {
  const { access_token: token } = await tokensOf(await registeredClient(sandbox));
  return token;
}
