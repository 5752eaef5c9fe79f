import { createHash } from 'node:crypto';
import { isJsonObject } from '@svc/catalog';

/** JSON data as a text in which the order of an object's members makes no difference. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Tells apart what differs in more than the order of members. */
export function jsonHash(value: unknown): string {
  return createHash('sha256')
    .update(canonicalText(value) ?? '')
    .digest('hex');
}

/** Returns whether two values are the same JSON. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);
