import { createHash } from 'node:crypto';
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import { secret } from '../secret.js';
import type { IdempotencyRun } from '../storage/application-tables.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

export interface IdempotencyParts {
  readonly storage: Pick<
    Storage,
    'idempotencyKeys' | 'accounts' | 'connections' | 'narrowedTokens' | 'agentClients'
  >;
  readonly digest: Digest;
  readonly vault: Vault;
  readonly now: () => number;
  readonly random: Random;
}

export interface KeyedCall {
  readonly applicationId: string;
  readonly key: string;
  /** Everything that makes two calls the same call. */
  readonly request: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
  readonly errorCode?: string | undefined;
}

/** What a call made that is no account and no connection: its answer is good while that is. */
export interface Made {
  readonly tokenId?: string | undefined;
  readonly agentClientId?: string | undefined;
}

/** What an answer is about, as requests and answers name it: an account, a connection, or what was made. */
export interface AnswerSubject extends Made {
  readonly connectedAccountId?: string;
  readonly connectionName?: string;
  readonly identifier?: string;
}

/** What the caller of a new run must do in the end: keep its answer, or give the key back. */
export interface KeyedRun {
  /**
   * Until what it is about is deleted or, of a token, not good any more; not at all when it is deleted already. While the
   * database is away it is tried again, for a minute.
   */
  readonly keep: (answer: StoredAnswer, subject: AnswerSubject) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** An answer, or: the call runs, or its process ended before it did. */
export type Found = StoredAnswer | 'running' | 'lost';

/** As it is encrypted. */
type KeptAnswer = StoredAnswer & Made;

const fingerprintOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

const NOTHING = { answer: null, accountId: null, connectionId: null };
const KEPT_MS = 24 * 3_600_000;
// A run says that it is alive every third of this, so that a crash leaves no key stuck for longer.
const LEASE_MS = 60_000;
// While the database is away a sign is tried again and again: the next one could be too late.
const SIGN_MS = LEASE_MS / 3;

const placeOf = ({ applicationId, runId }: IdempotencyRun): SecretLocation => ({
  applicationId,
  table: 'idempotency_keys',
  rowId: runId,
  column: 'answer',
});

/** Rule A13: a key runs its call once in 24 hours; the same call again gets the first answer. */
export function createIdempotency({ storage, digest, vault, now, random }: IdempotencyParts) {
  const { idempotencyKeys, accounts, connections, narrowedTokens, agentClients } = storage;

  async function findOwner(applicationId: string, subject: AnswerSubject) {
    const { connectedAccountId, connectionName = '', identifier, tokenId, agentClientId } = subject;
    if (tokenId !== undefined || agentClientId !== undefined) return {};
    if (connectedAccountId === undefined && identifier === undefined) {
      const connection = await connections.findByName(applicationId, connectionName);
      return connection && { connectionId: connection.id };
    }
    const account = await (connectedAccountId === undefined
      ? accounts.findByIdentifier(applicationId, connectionName, identifier ?? '')
      : accounts.find(applicationId, connectedAccountId));
    return account && { accountId: account.id };
  }

  async function keep(run: IdempotencyRun, answer: StoredAnswer, subject: AnswerSubject): Promise<void> {
    const owner = await findOwner(run.applicationId, subject);
    if (owner === undefined) return idempotencyKeys.delete(run);
    const { tokenId, agentClientId } = subject;
    const kept: KeptAnswer = { ...answer, tokenId, agentClientId };
    const sealed = await vault.seal(placeOf(run), secret(JSON.stringify(kept)));
    await idempotencyKeys.update(run, { answer: sealed, ...owner }).catch((error: unknown) => {
      // It was deleted at this moment, and the answer goes with it.
      if (error instanceof ServiceError && error.code === 'conflict') return idempotencyKeys.delete(run);
      throw error;
    });
  }

  function createRun(run: IdempotencyRun): KeyedRun {
    const extend = () => idempotencyKeys.update(run, { leaseUntil: now() + LEASE_MS });
    const sayAlive = () => retryWhileUnavailable(extend, SIGN_MS).catch(() => undefined);
    const alive = setInterval(sayAlive, SIGN_MS).unref();
    return {
      // Its lease is extended until then: the call has ended, and must not run again.
      keep: (answer, subject) =>
        retryWhileUnavailable(() => keep(run, answer, subject), LEASE_MS).finally(() => clearInterval(alive)),
      release: () =>
        retryWhileUnavailable(() => idempotencyKeys.delete(run), LEASE_MS).finally(() =>
          clearInterval(alive),
        ),
    };
  }

  async function open(run: IdempotencyRun, answer: string): Promise<KeptAnswer> {
    const { reveal } = await vault.open(placeOf(run), answer);
    return JSON.parse(reveal());
  }

  /** Whether that is still good. With accounts and connections the answers about them are deleted. */
  async function isGood(applicationId: string, { tokenId, agentClientId }: Made): Promise<boolean> {
    if (tokenId !== undefined) return (await narrowedTokens.findLive(tokenId, now())) !== undefined;
    if (agentClientId === undefined) return true;
    return (await agentClients.find(applicationId, agentClientId)) !== undefined;
  }

  /** `undefined`: what was made has ended, and the key may run its call again. */
  async function storedAnswer(
    applicationId: string,
    keyDigest: string,
    fingerprint: string,
  ): Promise<StoredAnswer | undefined> {
    const row = await idempotencyKeys.find(applicationId, keyDigest);
    if (row && row.fingerprint !== fingerprint) {
      throw new ServiceError(
        'idempotency_mismatch',
        'This Idempotency-Key was sent with another request. Use a new key for a new request.',
      );
    }
    if (!row?.answer) {
      throw new ServiceError(
        'conflict',
        'A request with this Idempotency-Key is still running. Ask again shortly.',
        {
          retryAfter: 1,
        },
      );
    }
    const answer = await open(row, row.answer);
    if (await isGood(applicationId, answer)) return answer;
    // Of this run alone: of all that find it at once one runs next.
    await idempotencyKeys.delete(row);
    return undefined;
  }

  async function begin(call: KeyedCall): Promise<{ run: KeyedRun } | { answer: StoredAnswer }> {
    const { applicationId, key, request } = call;
    const time = now();
    const keyDigest = digest('idempotency key', key);
    const fingerprint = fingerprintOf(request);
    const run = { applicationId, keyDigest, runId: newId('run', random) };
    const times = { leaseUntil: time + LEASE_MS, expiresAt: time + KEPT_MS };
    if (await idempotencyKeys.start({ ...run, ...times, fingerprint, ...NOTHING }, time)) {
      return { run: createRun(run) };
    }
    const answer = await storedAnswer(applicationId, keyDigest, fingerprint);
    return answer ? { answer } : begin(call);
  }

  return {
    /** A new run, or the answer of the first one. Throws idempotency_mismatch, or conflict while the first one runs. */
    begin,

    /** What a call came to that began under this key, or how it stands; `undefined` where there is none. */
    find: async ({ applicationId, key, request }: KeyedCall): Promise<Found | undefined> => {
      const row = await idempotencyKeys.find(applicationId, digest('idempotency key', key));
      if (row === undefined || row.expiresAt <= now() || row.fingerprint !== fingerprintOf(request))
        return undefined;
      if (row.answer !== null) return open(row, row.answer);
      return row.leaseUntil <= now() ? 'lost' : 'running';
    },
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
