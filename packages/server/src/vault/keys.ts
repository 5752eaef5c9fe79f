import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import { createReencrypt, type Reencrypted } from './reencrypt.js';
import { countUses, createRetireDataKeys } from './retire-data-keys.js';
import type { RootKeys } from './root-keys.js';
import { countWrapped, createRotateRootKey } from './rotate-root-key.js';
import type { Vault } from './vault.js';

export interface RootKeyStatus {
  readonly id: string;
  /** State of the root key. `missing`: the key encrypted data keys, but the service does not have it. */
  readonly state: 'current' | 'previous' | 'missing';
  /** Number of keys that the root key encrypted: data keys, and the pepper (the HMAC key of all digests). */
  readonly wraps: number;
}

export interface DataKeyStatus {
  readonly id: string;
  readonly applicationId: string;
  readonly generation: number;
  readonly createdAt: number;
  /** Number of stored values that the data key encrypted. */
  readonly values: number;
  readonly encryptions: number;
  readonly unusedSince: number | null;
}

export interface KeysStatus {
  readonly rootKeys: readonly RootKeyStatus[];
  readonly dataKeys: readonly DataKeyStatus[];
}

const OWNERS_AT_ONCE = 100;

/** Iterates over the ids of applications that have at least `least` data keys. */
async function* ownersOf({ dataKeys }: Pick<Storage, 'dataKeys'>, least: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const owners = await dataKeys.owners(least, { after, limit: OWNERS_AT_ONCE });
    yield* owners;
    const last = owners.at(-1);
    if (last === undefined || owners.length < OWNERS_AT_ONCE) return;
    after = last;
  }
}

export interface KeysOptions {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues' | 'settings' | 'transaction'>;
  readonly rootKeys: RootKeys;
  readonly vault: Vault;
  readonly commit: Commit;
  readonly now: () => number;
}

/** Creates the operations on root keys and data keys that operators can run. */
export function createKeys({ storage, rootKeys, vault, commit, now }: KeysOptions) {
  const reencrypt = createReencrypt({ storage, vault });
  const retire = createRetireDataKeys({ storage, commit, now });

  async function status(): Promise<KeysStatus> {
    const wraps = await countWrapped(storage);
    const ids = rootKeys.ids();
    const stateOf = (id: string) => {
      if (!ids.includes(id)) return 'missing';
      return id === ids[0] ? 'current' : 'previous';
    };
    const known = [...new Set([...ids, ...wraps.keys()])];
    const dataKeys: DataKeyStatus[] = [];
    for await (const owner of ownersOf(storage, 1)) {
      for (const { wrappedKey: _, ...key } of await storage.dataKeys.list(owner)) {
        dataKeys.push({ ...key, values: await countUses(storage, key) });
      }
    }
    return {
      rootKeys: known.map((id) => ({ id, state: stateOf(id), wraps: wraps.get(id) ?? 0 })),
      dataKeys,
    };
  }

  /**
   * Completes an interrupted rotation of the application's data key, and deletes data keys that have had no encrypted
   * values for an hour.
   */
  async function finish(applicationId: string, onProgress?: (values: number) => void): Promise<Reencrypted> {
    const done = await reencrypt(applicationId, onProgress);
    await retire(applicationId);
    return done;
  }

  /** Creates a new data key for the application, and re-encrypts all encrypted values of the application with it. */
  async function rotate(applicationId: string, onProgress?: (values: number) => void): Promise<Reencrypted> {
    await vault.rotate(applicationId);
    return finish(applicationId, onProgress);
  }

  /** Completes the data key rotation of every application that has more than one data key. */
  async function finishAll(): Promise<void> {
    for await (const applicationId of ownersOf(storage, 2)) await finish(applicationId);
  }

  return {
    status,
    rotateRootKey: createRotateRootKey({ storage, rootKeys, commit }),
    finish,
    rotate,
    finishAll,
    /** Iterates over the ids of applications that have a data key. */
    owners: (): AsyncIterable<string> => ownersOf(storage, 1),
  };
}

export type Keys = ReturnType<typeof createKeys>;
