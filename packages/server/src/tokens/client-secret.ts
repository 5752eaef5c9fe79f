import { crc32 } from 'node:zlib';
import { newToken, type Random } from '../text/random.js';

const FORM = /^svc_sk_([\w-]{43})([\w-]{6})$/;

function checksumOf(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString('base64url');
}

/**
 * Creates a client secret: the prefix `svc_sk_`, 256 random bits and a CRC-32 checksum. Secret scanners recognise
 * leaked secrets by this format.
 */
export function newClientSecret(random: Random): string {
  const body = newToken(random);
  return `svc_sk_${body}${checksumOf(body)}`;
}

/**
 * Returns true if the service generated the secret, which therefore cannot be guessed. Operators may choose the first
 * client secret themselves.
 */
export function isRandomSecret(clientSecret: string): boolean {
  const [, body = '', checksum] = FORM.exec(clientSecret) ?? [];
  return checksum === checksumOf(body);
}
