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
  /** Text that two calls share if and only if they are the same call. */
  readonly request: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
  readonly errorCode?: string | undefined;
}

/** Objects that a call created, other than accounts and connections. The stored response is valid as long as they are. */
export interface CreatedObjects {
  readonly tokenId?: string | undefined;
  readonly agentClientId?: string | undefined;
}

/** Subject of a response: an account, a connection, or a created object. */
export interface ResponseSubject extends CreatedObjects {
  readonly connectedAccountId?: string;
  readonly connectionName?: string;
  readonly identifier?: string;
}

/** A new run of a call. The caller must end it with `keep` or `release`. */
export interface KeyedRun {
  /**
   * Stores the response until its subject is deleted or its token expires; not at all if the subject is deleted already.
   * Retries for a minute while the database is unavailable.
   */
  readonly keep: (answer: StoredResponse, subject: ResponseSubject) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** A response; `running`: the call still runs; `lost`: its process ended before the call did. */
export type Found = StoredResponse | 'running' | 'lost';

/** Encrypted content of the column. */
type SealedResponse = StoredResponse & CreatedObjects;

const fingerprintOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

const NOTHING = { answer: null, accountId: null, connectionId: null };
const KEPT_MS = 24 * 3_600_000;
// A run extends its lease every third of this time. After a crash its key is free at the end of the lease.
const LEASE_MS = 60_000;
// Each extension retries until the next one is due, while the database is unavailable.
const EXTEND_MS = LEASE_MS / 3;

const placeOf = ({ applicationId, runId }: IdempotencyRun): SecretLocation => ({
  applicationId,
  table: 'idempotency_keys',
  rowId: runId,
  column: 'answer',
});

/** Runs a call once per key and 24 hours. The same call again gets the first response (rule A13). */
export function createIdempotency({ storage, digest, vault, now, random }: IdempotencyParts) {
  const { idempotencyKeys, accounts, connections, narrowedTokens, agentClients } = storage;

  async function findOwner(applicationId: string, subject: ResponseSubject) {
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

  async function keep(run: IdempotencyRun, answer: StoredResponse, subject: ResponseSubject): Promise<void> {
    const owner = await findOwner(run.applicationId, subject);
    if (owner === undefined) return idempotencyKeys.delete(run);
    const { tokenId, agentClientId } = subject;
    const kept: SealedResponse = { ...answer, tokenId, agentClientId };
    const sealed = await vault.seal(placeOf(run), secret(JSON.stringify(kept)));
    await idempotencyKeys.update(run, { answer: sealed, ...owner }).catch((error: unknown) => {
      // A conflict means that the subject was just deleted. Its response is deleted too.
      if (error instanceof ServiceError && error.code === 'conflict') return idempotencyKeys.delete(run);
      throw error;
    });
  }

  function createRun(run: IdempotencyRun): KeyedRun {
    const extend = () => idempotencyKeys.update(run, { leaseUntil: now() + LEASE_MS });
    const keepLease = () => retryWhileUnavailable(extend, EXTEND_MS).catch(() => undefined);
    const timer = setInterval(keepLease, EXTEND_MS).unref();
    return {
      // The lease is extended until the response is stored, because the call must not run again.
      keep: (answer, subject) =>
        retryWhileUnavailable(() => keep(run, answer, subject), LEASE_MS).finally(() => clearInterval(timer)),
      release: () =>
        retryWhileUnavailable(() => idempotencyKeys.delete(run), LEASE_MS).finally(() =>
          clearInterval(timer),
        ),
    };
  }

  async function open(run: IdempotencyRun, answer: string): Promise<SealedResponse> {
    const { reveal } = await vault.open(placeOf(run), answer);
    return JSON.parse(reveal());
  }

  /** Returns whether the created objects still exist. Responses about accounts and connections are deleted together with those. */
  async function isValid(
    applicationId: string,
    { tokenId, agentClientId }: CreatedObjects,
  ): Promise<boolean> {
    if (tokenId !== undefined) return (await narrowedTokens.findLive(tokenId, now())) !== undefined;
    if (agentClientId === undefined) return true;
    return (await agentClients.find(applicationId, agentClientId)) !== undefined;
  }

  /** Returns `undefined` if the object that the call created no longer exists: the key may then run its call again. */
  async function storedResponse(
    applicationId: string,
    keyDigest: string,
    fingerprint: string,
  ): Promise<StoredResponse | undefined> {
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
        'A request with this Idempotency-Key is still running. Retry in a few seconds.',
        {
          retryAfter: 1,
        },
      );
    }
    const answer = await open(row, row.answer);
    if (await isValid(applicationId, answer)) return answer;
    // Deletes this run only, so that only one of several concurrent callers runs next.
    await idempotencyKeys.delete(row);
    return undefined;
  }

  async function begin(call: KeyedCall): Promise<{ run: KeyedRun } | { answer: StoredResponse }> {
    const { applicationId, key, request } = call;
    const time = now();
    const keyDigest = digest('idempotency key', key);
    const fingerprint = fingerprintOf(request);
    const run = { applicationId, keyDigest, runId: newId('run', random) };
    const times = { leaseUntil: time + LEASE_MS, expiresAt: time + KEPT_MS };
    if (await idempotencyKeys.start({ ...run, ...times, fingerprint, ...NOTHING }, time)) {
      return { run: createRun(run) };
    }
    const answer = await storedResponse(applicationId, keyDigest, fingerprint);
    return answer ? { answer } : begin(call);
  }

  return {
    /** Gives a new run, or the response of the first one. Throws idempotency_mismatch, or conflict while the first one runs. */
    begin,

    /** Gives the state of the call with this key; `undefined` if there is none. */
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
