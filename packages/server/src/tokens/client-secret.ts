import { crc32 } from 'node:zlib';
import { newToken, type Random } from '../random.js';

const FORM = /^svc_sk_([\w-]{43})([\w-]{6})$/;

function checksumOf(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString('base64url');
}

/** Gives `svc_sk_`, 256 random bits and their checksum, by which scanners recognise leaked secrets. */
export function newClientSecret(random: Random): string {
  const body = newToken(random);
  return `svc_sk_${body}${checksumOf(body)}`;
}

/** True for a generated secret, which cannot be guessed. An operator may have chosen the first secret. */
export function isRandomSecret(clientSecret: string): boolean {
  const [, body = '', checksum] = FORM.exec(clientSecret) ?? [];
  return checksum === checksumOf(body);
}
