import { type ClientAuth, ClientSecretPost, None } from 'oauth4webapi';
import type { Client, TokenRequestStyle } from './authorization-server.js';

// As forms are encoded (RFC 6749, 2.3.1), and no more: many servers compare without decoding, and ids often hold "-" or "_".
const asInForms = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

// Servers that take JSON compare the plain parts, where RFC 6749 encodes them first.
const asItIs = (text: string): string => text;

const basic =
  (secret: string, encode: (text: string) => string): ClientAuth =>
  (_server, client, _body, headers) => {
    const pair = `${encode(client.client_id)}:${encode(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

export function clientAuthentication({ secret }: Client, style: TokenRequestStyle): ClientAuth {
  if (secret === undefined) return None();
  if (style.clientAuthentication === 'body') return ClientSecretPost(secret);
  return basic(secret, style.body === 'json' ? asItIs : asInForms);
}
