import { ServiceError } from '../errors.js';
import { secret } from '../secret.js';
import type { Account } from '../storage/accounts-table.js';
import type { AccountRow } from '../storage/schema.js';
import type { Spool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import type { Place, Seal, Vault } from '../vault/vault.js';
import type { AccountCache } from './account-cache.js';
import { readUsable } from './refresh-failure.js';
import type { TokenColumns } from './tokens.js';

export interface KeepTokensParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly vault: Vault;
  readonly spool: Spool;
  readonly cache: AccountCache;
  /** A number from 0 up to 1. */
  readonly jitter: () => number;
}

/** Where new tokens go (rule R5): into the database, and until they are there onto the disk. */
export interface KeepTokens {
  /** Gives the account with its new tokens once they cannot be lost any more, whether the database took them or not. */
  keep(account: Account, renewal: Renewal, seal: Seal): Promise<Account>;
  /** Brings tokens of this account that wait for the database into it. Throws when it still does not take them. */
  settle(accountId: string): Promise<void>;
  /** Takes up what an earlier process left; gives the names of texts that cannot be opened, which stay where they are. */
  load(): Promise<readonly string[]>;
  /** Ends the tries; what still waits is on the disk. Waits for the files that are about to go. */
  close(): Promise<void>;
}

// What else happens to an account while its token request runs happens a few times at most.
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** New tokens on their way into the database, sealed for their columns. */
export interface Renewal {
  readonly applicationId: string;
  /** Of the account. */
  readonly id: string;
  /** The version whose refresh token was used up for them. */
  readonly version: number;
  /** When the tokens of that version were issued. */
  readonly replaces: number | null;
  readonly columns: TokenColumns;
}

type Key = Pick<Renewal, 'applicationId' | 'id' | 'version'>;

export const renewalName = ({ id, version }: Key): string => `${id}.${version}`;

// The version is a part of what it is bound to: an old text put back says nothing about a newer version.
const placeOf = ({ applicationId, id, version }: Key): Place => ({
  applicationId,
  table: 'token_spool',
  rowId: id,
  column: `tokens of version ${version}`,
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readKey(text: string): Key & { readonly sealed: string } {
  const given: unknown = JSON.parse(text);
  if (isObject(given)) {
    const { applicationId, id, version, sealed } = given;
    const isText = typeof applicationId === 'string' && typeof id === 'string' && typeof sealed === 'string';
    if (isText && typeof version === 'number') return { applicationId, id, version, sealed };
  }
  throw new TypeError('The text is no renewal.');
}

/** A text that holds nothing but ciphertext and the ids of what it is for. */
export function sealRenewal(seal: Seal, { applicationId, id, version, replaces, columns }: Renewal): string {
  const key = { applicationId, id, version };
  const sealed = seal(placeOf(key), secret(JSON.stringify({ replaces, columns })));
  return JSON.stringify({ ...key, sealed });
}

/** Throws when the text was changed, or is another row's or version's. */
export async function openRenewal(vault: Vault, text: string): Promise<Renewal> {
  const { sealed, ...key } = readKey(text);
  const opened = await vault.open(placeOf(key), sealed);
  // Nobody but sealRenewal can have written what decrypts in this place.
  const content = JSON.parse(opened.reveal()) as Pick<Renewal, 'replaces' | 'columns'>;
  return { ...key, ...content };
}

const holdsReplaced = ({ replaces }: Renewal, { refreshToken, issuedAt }: AccountRow): boolean =>
  refreshToken !== null && issuedAt === replaces;

const notStored = (cause: unknown) =>
  new ServiceError(
    'unavailable',
    'The new access could not be stored. Try again shortly.',
    { retryAfter: 1 },
    { cause },
  );

export function createKeepTokens({ storage, vault, spool, cache, jitter }: KeepTokensParts): KeepTokens {
  const waiting = new Map<string, Renewal>();
  const tidying = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let tries = 0;

  // Compare and set. A change that left the tokens as they were, such as a note of scopes, does not make the new ones void;
  // whoever brought other tokens or took them away was newer and wins, and then it is `undefined`.
  async function store(renewal: Renewal): Promise<AccountRow | undefined> {
    const { applicationId, id } = renewal;
    let { version } = renewal;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const changed = await storage.accounts.change({ applicationId, id, version }, renewal.columns);
      cache.drop(id);
      if (changed) return changed;
      const latest = await storage.accounts.find(applicationId, id);
      if (!latest || !holdsReplaced(renewal, latest)) return undefined;
      version = latest.version;
    }
    throw notStored(undefined);
  }

  async function replay(renewal: Renewal): Promise<void> {
    await store(renewal);
    if (waiting.get(renewal.id) === renewal) waiting.delete(renewal.id);
    await spool.remove(renewalName(renewal));
  }

  async function replayAll(): Promise<void> {
    for (const renewal of waiting.values()) await replay(renewal);
    tries = 0;
  }

  function tryLater(): void {
    if (timer || waiting.size === 0) return;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
    tries += 1;
    timer = setTimeout(
      async () => {
        // The next try is the answer to a failure, which everything else that wants the database reports.
        await replayAll().catch(() => undefined);
        timer = undefined;
        tryLater();
      },
      longest * (1 - jitter() / 2),
    ).unref();
  }

  // A text that stays is one of a version that has passed, and changes nothing.
  function tidy(name: string, isWritten: Promise<boolean>): void {
    const done = isWritten
      .then(() => spool.remove(name))
      .catch(() => undefined)
      .finally(() => tidying.delete(done));
    tidying.add(done);
  }

  function wait(renewal: Renewal): void {
    waiting.set(renewal.id, renewal);
    tryLater();
  }

  return {
    async keep(account, renewal, seal) {
      const name = renewalName(renewal);
      const isWritten = spool.write(name, sealRenewal(seal, renewal)).then(
        () => true,
        () => false,
      );
      const stored = await store(renewal).then(
        (row) => ({ row }),
        (error: unknown) => ({ error }),
      );
      if ('error' in stored) {
        wait(renewal);
        if (!(await isWritten)) throw notStored(stored.error);
        return { ...account, ...renewal.columns, version: renewal.version + 1 };
      }
      tidy(name, isWritten);
      return stored.row ? { ...account, ...stored.row } : readUsable(storage, account);
    },

    async settle(accountId) {
      const renewal = waiting.get(accountId);
      if (renewal) await replay(renewal);
    },

    async load() {
      const unreadable: string[] = [];
      for (const [name, text] of await spool.read()) {
        const renewal = await openRenewal(vault, text).catch(() => undefined);
        if (renewal) waiting.set(renewal.id, renewal);
        else unreadable.push(name);
      }
      await replayAll().catch(() => undefined);
      tryLater();
      return unreadable;
    },

    close: async () => {
      clearTimeout(timer);
      waiting.clear();
      await Promise.all(tidying);
    },
  };
}
