import { createCipheriv, createDecipheriv } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.js';
import type { DataKeyRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newId, type Random } from './random.js';
import type { RootKey } from './root-key.js';
import { type Secret, secret } from './secret.js';

/** Where a secret is stored. It cannot be decrypted anywhere else. */
export interface Place {
  readonly applicationId: string;
  readonly table:
    | 'connections'
    | 'client_registrations'
    | 'accounts'
    | 'authorization_flows'
    | 'pending_approvals'
    | 'data_keys'
    | 'idempotency_keys'
    | 'token_spool';
  readonly rowId: string;
  readonly column: string;
}

export type Seal = (place: Place, plain: Secret) => string;

export interface Vault {
  /** Holds the application's newest key: what is sealed by it waits for nothing any more, and not for the database. */
  prepare(applicationId: string): Promise<Seal>;
  seal(place: Place, plain: Secret): Promise<string>;
  open(place: Place, sealed: string): Promise<Secret>;
}

export interface VaultParts {
  readonly storage: Pick<Storage, 'dataKeys'>;
  readonly rootKey: RootKey;
  readonly now: () => number;
  readonly random: Random;
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_LIFE_MS = 5 * 60_000;

// Each part is preceded by its length: no two places give the same bytes.
function associatedData({ applicationId, table, rowId, column }: Place, keyId: string): Buffer {
  const parts = [FORMAT, applicationId, table, rowId, column, keyId].map((part) => Buffer.from(part));
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

function encrypt(key: Key, place: Place, options: { plain: Buffer; iv: Buffer }): string {
  const cipher = createCipheriv(CIPHER, key.bytes, options.iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(place, key.id));
  const body = Buffer.concat([options.iv, cipher.update(options.plain), cipher.final(), cipher.getAuthTag()]);
  return `${FORMAT}.${key.id}.${body.toString('base64url')}`;
}

function unreadable({ table, column, rowId }: Place, cause?: unknown): ServiceError {
  return new ServiceError(
    'internal_error',
    `${column} of ${rowId} in ${table} cannot be decrypted: the row was changed outside the service, or its key is gone.`,
    undefined,
    { cause },
  );
}

function decrypt(key: Key, place: Place, sealed: string): Buffer {
  const [format, keyId, text = ''] = sealed.split('.');
  const body = Buffer.from(text, 'base64url');
  if (format !== FORMAT || keyId !== key.id || body.length < IV_BYTES + TAG_BYTES) throw unreadable(place);
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, body.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedData(place, key.id));
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw unreadable(place, error);
  }
}

/** The only module that encrypts and decrypts: a data key for each application, wrapped by the root key. */
export function createVault({ storage, rootKey, now, random }: VaultParts): Vault {
  const rootAsKey: Key = { id: rootKey.id, bytes: rootKey.wrappingKey() };
  const unwrapped = new LRUCache<string, Key>({ max: 1000, ttl: KEY_LIFE_MS });
  const newestIds = new LRUCache<string, string>({ max: 1000, ttl: KEY_LIFE_MS });

  const placeOf = (applicationId: string, rowId: string): Place => ({
    applicationId,
    table: 'data_keys',
    rowId,
    column: 'wrapped_key',
  });

  function unwrap({ id, applicationId, wrappedKey }: DataKeyRow): Key {
    const key = { id, bytes: decrypt(rootAsKey, placeOf(applicationId, id), wrappedKey) };
    unwrapped.set(`${applicationId} ${id}`, key);
    return key;
  }

  async function keyFor(place: Place, id: string): Promise<Key> {
    const held = unwrapped.get(`${place.applicationId} ${id}`);
    if (held) return held;
    const row = await storage.dataKeys.find(place.applicationId, id);
    if (!row) throw unreadable(place);
    return unwrap(row);
  }

  async function firstKey(applicationId: string): Promise<DataKeyRow> {
    const id = newId('key', random);
    const wrappedKey = encrypt(rootAsKey, placeOf(applicationId, id), {
      plain: random(32),
      iv: random(IV_BYTES),
    });
    await storage.dataKeys.insert({ id, applicationId, generation: 1, wrappedKey, createdAt: now() });
    const row = await storage.dataKeys.newest(applicationId);
    if (!row) throw unreadable(placeOf(applicationId, id));
    return row;
  }

  async function newestKey(applicationId: string): Promise<Key> {
    const id = newestIds.get(applicationId);
    if (id !== undefined) return keyFor(placeOf(applicationId, id), id);
    const row = (await storage.dataKeys.newest(applicationId)) ?? (await firstKey(applicationId));
    newestIds.set(applicationId, row.id);
    return unwrap(row);
  }

  async function prepare(applicationId: string): Promise<Seal> {
    const key = await newestKey(applicationId);
    return (place, plain) => {
      // A key of another application would open nothing here.
      if (place.applicationId !== applicationId) throw unreadable(place);
      return encrypt(key, place, { plain: Buffer.from(plain.reveal()), iv: random(IV_BYTES) });
    };
  }

  return {
    prepare,
    seal: async (place, plain) => (await prepare(place.applicationId))(place, plain),
    open: async (place, sealed) => {
      const key = await keyFor(place, sealed.split('.')[1] ?? '');
      return secret(decrypt(key, place, sealed).toString());
    },
  };
}
