import { IDENTIFIER } from './identifier.js';
import type { Stage } from './stage.js';

/** Requests an account token for one connection, which identifies the connected account without further parameters. */
export async function accountToken({ url, token }: Stage, connector: string): Promise<string> {
  const response = await fetch(`${url}/v1/account-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: IDENTIFIER, connections: [connector], expiresIn: 3600 }),
  });
  return ((await response.json()) as { readonly token: string }).token;
}
