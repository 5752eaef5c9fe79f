import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '../errors.js';
import type { AuditEvent, Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { AccountChange, AccountVersion, StoredAccount } from '../storage/accounts-table.js';
import type { AccountRow } from '../storage/schema.js';
import type { Spool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import { parseObject } from '../text/json-object.js';
import type { Seal, SecretLocation, Vault } from '../vault/vault.js';
import type { AccountCache } from './account-cache.js';
import { readUsable } from './refresh-failure.js';
import type { TokenColumns } from './token-columns.js';

export interface TokenWriterParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly spool: Spool;
  readonly cache: AccountCache;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly jitter: () => number;
}

// Maximum attempts to store new tokens if the account was changed at the same time. During a token request, an account
// changes a few times at most.
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5000;

/** New tokens of an account, encrypted and ready to store. */
export interface Renewal {
  readonly applicationId: string;
  /** Id of the connected account. */
  readonly id: string;
  /** Version of the account before the token request, which used up the refresh token of this version. */
  readonly version: number;
  /**
   * Issue time of the tokens that the new ones replace, in epoch milliseconds. If the account still has tokens of this
   * time, the new ones can be stored.
   */
  readonly replaces: number | null;
  readonly columns: Omit<TokenColumns, 'refreshToken'> & AccountChange;
  /**
   * Audit events that are recorded in the transaction that stores the tokens. Default: none, because ordinary refreshes
   * are not audited.
   */
  readonly events?: readonly AuditEvent[];
}

type Key = Pick<Renewal, 'applicationId' | 'id' | 'version'>;

const renewalName = ({ id, version }: Key): string => `${id}.${version}`;

// The account's version is part of the encryption context. An old file from a backup therefore cannot be decrypted for
// a newer version.
const renewalLocation = ({ applicationId, id, version }: Key): SecretLocation => ({
  applicationId,
  table: 'token_spool',
  rowId: id,
  column: `tokens of version ${version}`,
});

function readKey(text: string): Key & { readonly sealed: string } {
  const { applicationId, id, version, sealed } = parseObject(text) ?? {};
  const isText = typeof applicationId === 'string' && typeof id === 'string' && typeof sealed === 'string';
  if (isText && typeof version === 'number') return { applicationId, id, version, sealed };
  throw new TypeError(
    'A file that must contain a refreshed token has other content, so it was changed outside the service. Restore the file from a backup.',
  );
}

/** Encrypts new tokens for a file on disk. The text contains only the ciphertext, the account's ids and its version. */
function sealRenewal(seal: Seal, { applicationId, id, version, ...content }: Renewal): string {
  const key = { applicationId, id, version };
  const sealed = seal(renewalLocation(key), secret(JSON.stringify(content)));
  return JSON.stringify({ ...key, sealed });
}

/**
 * Decrypts new tokens from a file on disk. Throws if the file was changed, or belongs to another account or version.
 */
async function openRenewal(vault: Vault, text: string): Promise<Renewal> {
  const { sealed, ...key } = readKey(text);
  const opened = await vault.open(renewalLocation(key), sealed);
  // The cast is safe, because only `sealRenewal` can create a text that decrypts here.
  const content = JSON.parse(opened.reveal()) as Omit<Renewal, keyof Key>;
  return { ...key, ...content };
}

const holdsReplaced = ({ replaces }: Renewal, { refreshToken, issuedAt }: AccountRow): boolean =>
  refreshToken !== null && issuedAt === replaces;

const notStored = (cause: unknown) =>
  new ServiceError(
    'unavailable',
    'The refreshed token could not be stored. Retry in a few seconds.',
    { retryAfter: 1, reason: 'storage' },
    { cause },
  );

/**
 * Creates the functions that store new tokens (rule R5 in security-rules.md). The tokens also stay in a file until the
 * database has them, because most upstreams accept a refresh token only once.
 */
export function createTokenWriter({ storage, commit, vault, spool, cache, jitter }: TokenWriterParts) {
  const waiting = new Map<string, Renewal>();
  const tidying = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let tries = 0;
  // Runs the later attempts outside of the request that began them, because a request may only read rows of its own
  // application (refuse-foreign-rows.ts).
  const runOutside = AsyncLocalStorage.snapshot();

  function change(version: AccountVersion, { columns, events = [] }: Renewal) {
    if (events.length === 0) return storage.accounts.change(version, columns);
    return commit(async (tables, audit) => {
      const row = await tables.accounts.change(version, columns);
      if (row) for (const event of events) audit(event);
      return row;
    });
  }

  /**
   * Stores new tokens if the account's version is unchanged. Retries after a concurrent change of other columns, such
   * as requested scopes. Returns `undefined` if other tokens were stored meanwhile, because those are newer.
   */
  async function store(renewal: Renewal): Promise<AccountRow | undefined> {
    const { applicationId, id } = renewal;
    let { version } = renewal;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const changed = await change({ applicationId, id, version }, renewal);
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

  /**
   * Tries to store all waiting tokens. An account whose tokens cannot be stored does not hold up the others. Errors are
   * ignored, because `tryLater` schedules another attempt, and other components report that the database is unavailable.
   */
  async function replayAll(): Promise<void> {
    let hasFailed = false;
    for (const renewal of waiting.values())
      await replay(renewal).catch(() => {
        hasFailed = true;
      });
    if (!hasFailed) tries = 0;
  }

  function tryLater(): void {
    if (timer || waiting.size === 0) return;
    const longest = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
    tries += 1;
    timer = setTimeout(
      async () => {
        await runOutside(replayAll);
        timer = undefined;
        tryLater();
      },
      longest * (1 - jitter() / 2),
    ).unref();
  }

  /**
   * Deletes the file of tokens that the database now has, in the background. If that fails, the file is harmless,
   * because it belongs to an old version of the account.
   */
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

  /** Stores new tokens. Resolves to the account with these tokens as soon as they are in the database or on disk. */
  async function write(account: StoredAccount, renewal: Renewal, seal: Seal): Promise<StoredAccount> {
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
  }

  /**
   * Stores an account's tokens in the database if they are only on disk. Throws if the database is still unavailable.
   */
  async function flush(accountId: string): Promise<void> {
    const renewal = waiting.get(accountId);
    if (renewal) await replay(renewal);
  }

  /**
   * Loads the files with tokens that an earlier process could not store in the database. Resolves to the names of files
   * that cannot be decrypted. Those files stay on disk.
   */
  async function load(): Promise<readonly string[]> {
    const unreadable: string[] = [];
    for (const [name, text] of await spool.read()) {
      const renewal = await openRenewal(vault, text).catch(() => undefined);
      if (renewal) waiting.set(renewal.id, renewal);
      else unreadable.push(name);
    }
    await replayAll();
    tryLater();
    return unreadable;
  }

  /**
   * Stops the attempts to store tokens in the database. Tokens that are not stored yet stay in files on disk. Waits
   * until pending deletions of files have ended.
   */
  async function close(): Promise<void> {
    clearTimeout(timer);
    waiting.clear();
    await Promise.all(tidying);
  }

  return { write, flush, load, close };
}

export type TokenWriter = ReturnType<typeof createTokenWriter>;
