import { createHash } from 'node:crypto';

/**
 * Builds the strong ETag of an object (RFC 9110, section 8.8.3). `version`: values that identify the settings of the
 * object. State that changes by itself is left out, because nobody's change would conflict with it.
 */
export const etagOf = (...version: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(version)).digest('base64url').slice(0, 22)}"`;
