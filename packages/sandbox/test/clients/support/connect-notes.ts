import type { Sandbox } from '../../../src/index.js';
import { registeredClient, tokensOf } from '../../mcp/notes-client.js';

/** Registers an MCP client dynamically and returns its access token. */
export async function connectNotes(sandbox: Sandbox): Promise<string> {
  const { access_token: token } = await tokensOf(await registeredClient(sandbox));
  return token;
}
