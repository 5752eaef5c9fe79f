import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * Computes HMAC-SHA-256 of a text, as base64url, with a key of 32 bytes. This implementation of RFC 2104 uses Node's
 * one-shot `hash`, which needs a fifth of the time of `createHmac`. Speed matters because requests with a narrowed
 * token need several HMACs.
 */
export function hmac(key: Uint8Array, text: string): string {
  const inner = Buffer.alloc(BLOCK_BYTES + Buffer.byteLength(text), 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  inner.write(text, BLOCK_BYTES);
  hash('sha256', inner, 'buffer').copy(outer, BLOCK_BYTES);
  return hash('sha256', outer, 'base64url');
}
