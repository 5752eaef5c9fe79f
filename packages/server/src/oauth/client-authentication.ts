import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'oauth4webapi';
import type { Client, TokenRequestStyle } from './authorization-server.js';

// Servers that take JSON compare the plain parts, where RFC 6749 encodes them first.
const plainBasic =
  (secret: string): ClientAuth =>
  (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`);
  };

export function clientAuthentication({ secret }: Client, style: TokenRequestStyle): ClientAuth {
  if (secret === undefined) return None();
  if (style.clientAuthentication === 'body') return ClientSecretPost(secret);
  return style.body === 'json' ? plainBasic(secret) : ClientSecretBasic(secret);
}
