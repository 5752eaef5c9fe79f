import { LRUCache } from 'lru-cache';
import type { Credential } from './credentials.js';

/** A decrypted credential and when it must be replaced. */
export interface HeldCredential {
  readonly credential: Credential;
  readonly canRefresh: boolean;
  /** `undefined` when it is not known to expire. */
  readonly expiresAt: number | undefined;
  readonly refreshAt: number | undefined;
}

export interface CredentialCache {
  get(accountId: string): HeldCredential | undefined;
  /** Keeps what `read` gives, unless the account was dropped while it read. */
  fill(accountId: string, read: () => Promise<HeldCredential>): Promise<HeldCredential>;
  /** Must be called after every change of an account in this process. */
  drop(accountId: string): void;
}

const KEPT_MS = 5000;

export function createCredentialCache({ now }: { readonly now: () => number }): CredentialCache {
  const held = new LRUCache<string, HeldCredential>({
    max: 10_000,
    ttl: KEPT_MS,
    perf: { now },
    ttlResolution: 0,
  });
  let drops = 0;
  return {
    get: (accountId) => held.get(accountId),
    fill: async (accountId, read) => {
      const before = drops;
      const credential = await read();
      if (before === drops) held.set(accountId, credential);
      return credential;
    },
    drop: (accountId) => {
      drops += 1;
      held.delete(accountId);
    },
  };
}
