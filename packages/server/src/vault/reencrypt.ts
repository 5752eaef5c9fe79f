import { ServiceError } from '../errors.js';
import { SEALED_COLUMNS, type SealedColumnName } from '../storage/sealed-columns.js';
import type { Storage } from '../storage/storage.js';
import type { SealedValue } from '../storage/vault-tables.js';
import { markOf, type Place } from './place.js';
import type { Vault } from './vault.js';

export interface ReencryptParts {
  readonly storage: Pick<Storage, 'dataKeys' | 'sealedValues' | 'transaction'>;
  readonly vault: Vault;
}

export interface Reencrypted {
  readonly values: number;
  /** Values that nothing opens: the rows were changed outside the service. */
  readonly unreadable: number;
}

/**
 * Encrypts everything that older keys of the application encrypted with its newest one, while it is in use: each value
 * is replaced only where it still is as it was read. Whatever interrupts it, it can be done again.
 */
export type Reencrypt = (applicationId: string, told?: (values: number) => void) => Promise<Reencrypted>;

const AT_ONCE = 100;

interface Column {
  readonly applicationId: string;
  readonly sealed: SealedColumnName;
}

/** The ciphertexts in a value by their places, and the value with others in their places. */
function readValue({ applicationId, sealed }: Column, { rowId, text }: SealedValue) {
  const row = { applicationId, rowId };
  if (sealed.holds === 'one') {
    const { table, column } = sealed;
    return [{ name: '', text, place: { ...row, table, column } as Place }];
  }
  const { table, column } = sealed;
  return Object.entries(JSON.parse(text)).map(([name, each]) => ({
    name,
    text: String(each),
    place: { ...row, table, column: `${column}.${name}` } as const satisfies Place,
  }));
}

const writeValue = (
  { sealed }: Column,
  parts: readonly { readonly name: string; readonly text: string }[],
): string =>
  sealed.holds === 'one'
    ? parts.map(({ text }) => text).join('')
    : JSON.stringify(Object.fromEntries(parts.map(({ name, text }) => [name, text])));

export function createReencrypt({ storage, vault }: ReencryptParts): Reencrypt {
  async function sealAgain(column: Column, value: SealedValue): Promise<string> {
    const parts = readValue(column, value).map(async ({ name, text, place }) => ({
      name,
      text: await vault.seal(place, await vault.open(place, text)),
    }));
    return writeValue(column, await Promise.all(parts));
  }

  /** `undefined` for a value that nothing opens. What is out of reach for now is thrown. */
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

  async function reencryptColumn(column: Column, containing: string, told: (values: number) => void) {
    const done = { values: 0, unreadable: 0 };
    const search = { ...column, containing };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { found, last } = await storage.sealedValues.findSome(search, { after, most: AT_ONCE });
      const replaced = await replaceAll(column, found);
      done.values += replaced;
      done.unreadable += found.length - replaced;
      told(replaced);
      after = last;
    }
    return done;
  }

  return async (applicationId, told = () => undefined) => {
    const older = (await storage.dataKeys.list(applicationId)).slice(0, -1);
    const total = { values: 0, unreadable: 0 };
    for (const { id } of older) {
      for (const sealed of SEALED_COLUMNS) {
        const { values, unreadable } = await reencryptColumn({ applicationId, sealed }, markOf(id), told);
        total.values += values;
        total.unreadable += unreadable;
      }
    }
    return total;
  };
}
