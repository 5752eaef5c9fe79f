import { createHash } from 'node:crypto';
import { isJsonObject } from '@svc/catalog';

/** Serializes JSON data with sorted object keys, so that the order of the keys makes no difference. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Returns a SHA-256 hash of JSON data that ignores the order of object keys. */
export function jsonHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalText(value) ?? '')
    .digest('hex');
}

/** Checks whether two values are equal as JSON, ignoring the order of object keys. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);
