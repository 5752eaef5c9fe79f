import { crc32 } from 'node:zlib';
import { newToken, type Random } from './random.js';

/** `svc_sk_`, 256 random bits and their checksum, so that scanners find a leaked one and tell it from noise. */
export function newClientSecret(random: Random): string {
  const body = newToken(random);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return `svc_sk_${body}${checksum.toString('base64url')}`;
}
