import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import { createReencrypt, type Reencrypted } from './reencrypt.js';
import { countUses, createRetireDataKeys } from './retire-data-keys.js';
import type { RootKeys } from './root-keys.js';
import { countWrapped, createRotateRootKey, type RotateRootKey } from './rotate-root-key.js';
import type { Vault } from './vault.js';

export interface KeysParts {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues' | 'settings' | 'transaction'>;
  readonly rootKeys: RootKeys;
  readonly vault: Vault;
  readonly commit: Commit;
  readonly now: () => number;
}

export interface RootKeyStatus {
  readonly id: string;
  /** `missing`: it wrapped keys, and the service does not have it. */
  readonly state: 'current' | 'previous' | 'missing';
  /** How many data keys, and the pepper of digests, it wraps. */
  readonly wraps: number;
}

export interface DataKeyStatus {
  readonly id: string;
  readonly applicationId: string;
  readonly generation: number;
  readonly createdAt: number;
  /** How many values it encrypted that are still there. */
  readonly values: number;
  readonly encryptions: number;
  readonly unusedSince: number | null;
}

export interface KeysStatus {
  readonly rootKeys: readonly RootKeyStatus[];
  readonly dataKeys: readonly DataKeyStatus[];
}

/** What an operator does with keys. */
export interface Keys {
  readonly status: () => Promise<KeysStatus>;
  readonly rotateRootKey: RotateRootKey;
  /** The applications that have a data key. */
  readonly owners: () => AsyncIterable<string>;
  /** A new data key for the application, and everything encrypted with it. */
  readonly rotate: (applicationId: string, told?: (values: number) => void) => Promise<Reencrypted>;
  /** Does the rest of a rotation that was interrupted, and deletes keys that nothing has used for an hour. */
  readonly finish: (applicationId: string, told?: (values: number) => void) => Promise<Reencrypted>;
  /** The same for every application that has more than one key. */
  readonly finishAll: () => Promise<void>;
}

const OWNERS_AT_ONCE = 100;

/** The applications that have so many keys or more. */
async function* ownersOf({ dataKeys }: KeysParts['storage'], least: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const owners = await dataKeys.owners(least, { after, limit: OWNERS_AT_ONCE });
    yield* owners;
    const last = owners.at(-1);
    if (last === undefined || owners.length < OWNERS_AT_ONCE) return;
    after = last;
  }
}

const createStatus =
  ({ storage, rootKeys }: KeysParts) =>
  async (): Promise<KeysStatus> => {
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
  };

export function createKeys(parts: KeysParts): Keys {
  const { storage, vault } = parts;
  const reencrypt = createReencrypt(parts);
  const retire = createRetireDataKeys(parts);

  const finish: Keys['finish'] = async (applicationId, told) => {
    const done = await reencrypt(applicationId, told);
    await retire(applicationId);
    return done;
  };

  return {
    status: createStatus(parts),
    rotateRootKey: createRotateRootKey(parts),
    finish,
    owners: () => ownersOf(storage, 1),
    rotate: async (applicationId, told) => {
      await vault.rotate(applicationId);
      return finish(applicationId, told);
    },
    finishAll: async () => {
      for await (const applicationId of ownersOf(storage, 2)) await finish(applicationId);
    },
  };
}
