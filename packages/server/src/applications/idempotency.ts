import { createHash } from 'node:crypto';
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import { ServiceError } from '../errors.js';
import { secret } from '../secret.js';
import type { IdempotencyRun } from '../storage/application-tables.js';
import type { Storage } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

export interface IdempotencyParts {
  readonly storage: Pick<
    Storage,
    'idempotencyKeys' | 'accounts' | 'connections' | 'narrowedTokens' | 'agentClients' | 'webhookEndpoints'
  >;
  readonly digest: Digest;
  readonly vault: Vault;
  readonly now: () => number;
  readonly random: Random;
}

export interface KeyedCall {
  readonly applicationId: string;
  readonly key: string;
  /**
   * Canonical text of the API request. Two requests with an equal text and an equal idempotency key are repetitions.
   */
  readonly request: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
  readonly errorCode?: string | undefined;
}

/**
 * Ids of objects that the keyed API call created, other than accounts and connections. The call's stored response is
 * invalid after their deletion.
 */
export interface CreatedObjects {
  readonly tokenId?: string | undefined;
  readonly agentClientId?: string | undefined;
  readonly webhookEndpointId?: string | undefined;
}

/**
 * Object that the stored response of an idempotent API call contains, such as an account or a connection. The stored
 * response is deleted with the object, because it would otherwise describe a deleted object.
 */
export interface ResponseSubject extends CreatedObjects {
  readonly connectedAccountId?: string;
  readonly connectionName?: string;
  readonly identifier?: string;
  readonly account?: string | undefined;
}

/** Handle for the first run of an API call with an idempotency key. The caller must end it with `keep` or `release`. */
export interface KeyedRun {
  /**
   * Stores the API response for repetitions of the API call. The stored response is deleted with the object that it
   * contains, such as an account. Stores nothing if that object is already deleted. Retries for a minute while the
   * database is unavailable.
   */
  readonly store: (stored: StoredResponse, subject: ResponseSubject) => Promise<void>;
  readonly release: () => Promise<void>;
}

/**
 * State of an API call with an idempotency key: its stored response, `running`, or `lost` if the service process ended
 * before the call did.
 */
export type KeyState = StoredResponse | 'running' | 'lost';

/**
 * Content of the encrypted response of an idempotent API call, with the ids of the objects that the response depends
 * on.
 */
type SealedResponse = StoredResponse & CreatedObjects;

const fingerprintOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

const NOTHING = { response: null, accountId: null, connectionId: null };
const RETENTION_MS = 24 * 3_600_000;
// Duration of the lease that a running API call has on its idempotency key, in milliseconds. The call extends the lease
// every 20 s. After a crash, the lease ends and the key can be used again.
const LEASE_MS = 60_000;
// Interval in milliseconds at which a running API call extends the lease of its idempotency key. While the database is
// unavailable, an extension is retried until the next interval begins.
const EXTEND_MS = LEASE_MS / 3;

const responseLocation = ({ applicationId, runId }: IdempotencyRun): SecretLocation => ({
  applicationId,
  table: 'idempotency_keys',
  rowId: runId,
  column: 'response',
});

/**
 * Creates the handling of idempotency keys: an API call with a key runs once within 24 hours, and a repeated call gets
 * the stored response (rule A13 in security-rules.md).
 */
export function createIdempotency({ storage, digest, vault, now, random }: IdempotencyParts) {
  const { idempotencyKeys, accounts, connections, narrowedTokens, agentClients, webhookEndpoints } = storage;

  async function findOwner(applicationId: string, subject: ResponseSubject) {
    const {
      connectedAccountId,
      connectionName = '',
      identifier,
      account: label,
      tokenId,
      agentClientId,
      webhookEndpointId,
    } = subject;
    if ([tokenId, agentClientId, webhookEndpointId].some((id) => id !== undefined)) return {};
    if (connectedAccountId === undefined && identifier === undefined) {
      const connection = await connections.findByName(applicationId, connectionName);
      return connection && { connectionId: connection.id };
    }
    const account = await (connectedAccountId === undefined
      ? accounts.findByName(applicationId, { connectionName, identifier: identifier ?? '', account: label })
      : accounts.find(applicationId, connectedAccountId));
    return account && { accountId: account.id };
  }

  async function store(run: IdempotencyRun, stored: StoredResponse, subject: ResponseSubject): Promise<void> {
    const owner = await findOwner(run.applicationId, subject);
    if (owner === undefined) return idempotencyKeys.delete(run);
    const { tokenId, agentClientId, webhookEndpointId } = subject;
    const sealedResponse: SealedResponse = { ...stored, tokenId, agentClientId, webhookEndpointId };
    const sealed = await vault.seal(responseLocation(run), secret(JSON.stringify(sealedResponse)));
    await idempotencyKeys.update(run, { response: sealed, ...owner }).catch((error: unknown) => {
      // A conflict means that the object in the API response was deleted meanwhile. The stored response is deleted too,
      // because it describes a deleted object.
      if (error instanceof ServiceError && error.code === 'conflict') return idempotencyKeys.delete(run);
      throw error;
    });
  }

  function createRun(run: IdempotencyRun): KeyedRun {
    const extend = () => idempotencyKeys.update(run, { leaseUntil: now() + LEASE_MS });
    const extendLease = () => retryWhileUnavailable(extend, EXTEND_MS).catch(() => undefined);
    const timer = setInterval(extendLease, EXTEND_MS).unref();
    return {
      // A timer extends the lease of the idempotency key until the response is stored. A repeated call would otherwise
      // run again.
      store: (stored, subject) =>
        retryWhileUnavailable(() => store(run, stored, subject), LEASE_MS).finally(() =>
          clearInterval(timer),
        ),
      release: () =>
        retryWhileUnavailable(() => idempotencyKeys.delete(run), LEASE_MS).finally(() =>
          clearInterval(timer),
        ),
    };
  }

  async function open(run: IdempotencyRun, stored: string): Promise<SealedResponse> {
    const { reveal } = await vault.open(responseLocation(run), stored);
    return JSON.parse(reveal());
  }

  /**
   * True if the token, OAuth client or webhook endpoint in a stored API response still exists. Accounts and connections
   * need no check, because the database deletes their stored responses with them.
   */
  async function isValid(
    applicationId: string,
    { tokenId, agentClientId, webhookEndpointId }: CreatedObjects,
  ): Promise<boolean> {
    if (tokenId !== undefined) return (await narrowedTokens.findLive(tokenId, now())) !== undefined;
    if (agentClientId !== undefined)
      return (await agentClients.find(applicationId, agentClientId)) !== undefined;
    if (webhookEndpointId === undefined) return true;
    return (await webhookEndpoints.find(applicationId, webhookEndpointId)) !== undefined;
  }

  /**
   * Returns the stored response of a repeated API call. Returns `undefined` if the object in the response no longer
   * exists; the call may then run again.
   */
  async function storedResponse(
    applicationId: string,
    keyDigest: string,
    fingerprint: string,
  ): Promise<StoredResponse | undefined> {
    const row = await idempotencyKeys.find(applicationId, keyDigest);
    if (row && row.fingerprint !== fingerprint) {
      throw new ServiceError(
        'idempotency_mismatch',
        'The value of the header "Idempotency-Key" was already used for another request. Use a new key for a new request.',
      );
    }
    if (!row?.response) {
      throw new ServiceError(
        'conflict',
        'An earlier request with the same "Idempotency-Key" header is still running. Retry in a few seconds.',
        {
          retryAfter: 1,
        },
      );
    }
    const stored = await open(row, row.response);
    if (await isValid(applicationId, stored)) return stored;
    // Deletes the row only if it still contains the id of the earlier run. Of several concurrent callers, only one
    // deletes the row and runs the API call again.
    await idempotencyKeys.delete(row);
    return undefined;
  }

  async function begin(call: KeyedCall): Promise<{ run: KeyedRun } | { response: StoredResponse }> {
    const { applicationId, key, request } = call;
    const time = now();
    const keyDigest = digest('idempotency key', key);
    const fingerprint = fingerprintOf(request);
    const run = { applicationId, keyDigest, runId: newId('run', random) };
    const times = { leaseUntil: time + LEASE_MS, expiresAt: time + RETENTION_MS };
    if (await idempotencyKeys.start({ ...run, ...times, fingerprint, ...NOTHING }, time)) {
      return { run: createRun(run) };
    }
    const stored = await storedResponse(applicationId, keyDigest, fingerprint);
    return stored ? { response: stored } : begin(call);
  }

  return {
    /**
     * Starts the run of an API call with a new idempotency key, or returns the stored response of an earlier run.
     * Throws idempotency_mismatch for a different request, and conflict while the earlier run is active.
     */
    begin,

    /** Returns the state of the API call with an idempotency key. Returns `undefined` if no call used this key. */
    find: async ({ applicationId, key, request }: KeyedCall): Promise<KeyState | undefined> => {
      const row = await idempotencyKeys.find(applicationId, digest('idempotency key', key));
      if (row === undefined || row.expiresAt <= now() || row.fingerprint !== fingerprintOf(request))
        return undefined;
      if (row.response !== null) return open(row, row.response);
      return row.leaseUntil <= now() ? 'lost' : 'running';
    },
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;
