import type { Digest } from '../vault/pepper.js';

/** JSON in which the order of keys says nothing. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

/** What makes two calls the same call. */
export interface KeyedCall {
  readonly caller: string;
  readonly accountId: string;
  readonly toolName: string;
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly input: unknown;
}

/** Under a key that the database has only encrypted: without it nobody finds out by trying what the input was. */
export function callKeyOf(digest: Digest, call: KeyedCall): string {
  const { caller, accountId, toolName, schemaVersion, toolVersion, input } = call;
  return digest(
    'call that waits for approval',
    canonicalJson([caller, accountId, toolName, schemaVersion, toolVersion, input]),
  );
}
