import { createHash, randomBytes } from 'node:crypto';

/** Derives a UUID from a text, so that seeded objects have equal ids after each restart. */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

export type Identify = (text: string) => string;
