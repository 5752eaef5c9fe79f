import type { CurrentCaller } from '../caller.js';
import type { KnownTools } from '../connections/approval-policy.js';
import type { Connectors } from '../connections/connector.js';
import type { VerifyCredential } from '../connections/verify-credential.js';
import type { Fetch } from '../http/fetch.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import type { Random } from '../random.js';
import type { OnChange } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { Spool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';

export interface AuthorizationParts {
  readonly storage: Storage;
  readonly lock: Lock;
  readonly innerLock: Lock;
  /** Keeps new tokens while the database does not take them. */
  readonly spool: Spool;
  readonly caller: CurrentCaller;
  readonly onChange?: OnChange | undefined;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly connectors: Connectors;
  readonly tools: KnownTools;
  /** Reaches authorization servers. */
  readonly fetch: Fetch;
  readonly verifyCredential: VerifyCredential;
  /** Base URL that users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  /** URL of the client metadata document that the operator publishes elsewhere. */
  readonly clientMetadataUrl?: string | undefined;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly now: () => number;
  /** Lifetime of cached accounts in milliseconds; see AccountCacheParts. */
  readonly accountsKeptMs?: number | undefined;
  readonly random: Random;
  /** A number from 0 up to 1. */
  readonly jitter: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}
