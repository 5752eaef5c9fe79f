import { ServiceError } from '../errors.js';
import { SEALED_COLUMNS, type SealedColumnName } from '../storage/sealed-columns.js';
import type { Storage } from '../storage/storage.js';
import type { SealedValue } from '../storage/vault-tables.js';
import { ciphertextPrefix, type SecretLocation } from './ciphertext.js';
import type { Vault } from './vault.js';

export interface Reencrypted {
  readonly values: number;
  /** Number of values that no key can decrypt, because their rows were changed outside the service. */
  readonly unreadable: number;
}

type OnProgress = (values: number) => void;

const AT_ONCE = 100;

interface Column {
  readonly applicationId: string;
  readonly sealed: SealedColumnName;
}

interface Part {
  readonly name: string;
  readonly text: string;
}

/**
 * Splits the value of an encrypted column into its ciphertexts: a single ciphertext, or the members of a JSON object.
 * Returns each with its table, column and row id, which decryption requires.
 */
function readValue({ applicationId, sealed }: Column, { rowId, text }: SealedValue) {
  const row = { applicationId, rowId };
  if (sealed.holds === 'one') {
    const { table, column } = sealed;
    return [{ name: '', text, location: { ...row, table, column } as SecretLocation }];
  }
  const { table, column } = sealed;
  return Object.entries(JSON.parse(text)).map(([name, each]) => ({
    name,
    text: String(each),
    location: { ...row, table, column: `${column}.${name}` } as const satisfies SecretLocation,
  }));
}

const writeValue = ({ sealed }: Column, parts: readonly Part[]): string =>
  sealed.holds === 'one'
    ? parts.map(({ text }) => text).join('')
    : JSON.stringify(Object.fromEntries(parts.map(({ name, text }) => [name, text])));

export function createReencrypt({
  storage,
  vault,
}: {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues' | 'transaction'>;
  readonly vault: Vault;
}) {
  async function sealAgain(column: Column, value: SealedValue): Promise<string> {
    const parts = readValue(column, value).map(async ({ name, text, location }) => ({
      name,
      text: await vault.seal(location, await vault.open(location, text)),
    }));
    return writeValue(column, await Promise.all(parts));
  }

  /**
   * Re-encrypts one value of an encrypted column with the newest data key. Resolves to `undefined` if no key can
   * decrypt the value. Rejects if the database or the root key is unavailable.
   */
  const tryValue = (column: Column, value: SealedValue): Promise<string | undefined> =>
    sealAgain(column, value).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'unavailable') throw error;
      return undefined;
    });

  async function replaceAll(column: Column, values: readonly SealedValue[]): Promise<number> {
    const changes: { value: SealedValue; to: string }[] = [];
    for (const value of values) {
      const to = await tryValue(column, value);
      if (to !== undefined) changes.push({ value, to });
    }
    if (changes.length > 0) {
      await storage.transaction(async ({ sealedValues }) => {
        for (const { value, to } of changes) await sealedValues.replace(column, value, to);
      });
    }
    return changes.length;
  }

  async function reencryptColumn(
    column: Column,
    containing: string,
    onProgress: OnProgress | undefined,
  ): Promise<Reencrypted> {
    const done = { values: 0, unreadable: 0 };
    const search = { ...column, containing };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { items, last } = await storage.sealedValues.findSome(search, { after, most: AT_ONCE });
      const replaced = await replaceAll(column, items);
      done.values += replaced;
      done.unreadable += items.length - replaced;
      onProgress?.(replaced);
      after = last;
    }
    return done;
  }

  /**
   * Re-encrypts all values of the application's older data keys with its newest key, while the service runs. Values are
   * replaced by compare and set. An interrupted run can simply be repeated.
   */
  async function reencrypt(applicationId: string, onProgress?: OnProgress): Promise<Reencrypted> {
    const older = (await storage.dataKeys.list(applicationId)).slice(0, -1);
    const total = { values: 0, unreadable: 0 };
    for (const { id } of older) {
      for (const sealed of SEALED_COLUMNS) {
        const done = await reencryptColumn({ applicationId, sealed }, ciphertextPrefix(id), onProgress);
        total.values += done.values;
        total.unreadable += done.unreadable;
      }
    }
    return total;
  }
  return reencrypt;
}
