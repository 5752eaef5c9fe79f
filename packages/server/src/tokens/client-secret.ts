import { crc32 } from 'node:zlib';
import { newToken, type Random } from '../random.js';

const FORM = /^svc_sk_([\w-]{43})([\w-]{6})$/;

function checksumOf(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString('base64url');
}

/** `svc_sk_`, 256 random bits and their checksum, so that scanners find a leaked one and tell it from noise. */
export function newClientSecret(random: Random): string {
  const body = newToken(random);
  return `svc_sk_${body}${checksumOf(body)}`;
}

/** Whether it was made here, and so cannot be guessed; the first one may be one that somebody chose. */
export function isRandomSecret(clientSecret: string): boolean {
  const [, body = '', checksum] = FORM.exec(clientSecret) ?? [];
  return checksum === checksumOf(body);
}
