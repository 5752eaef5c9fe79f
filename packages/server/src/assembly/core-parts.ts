import type { CurrentCaller } from '../caller.js';
import type { KnownTools } from '../connections/approval-policy.js';
import type { Connectors } from '../connections/connector.js';
import type { EndSubscriptions } from '../connections/end-subscriptions.js';
import type { OnRefresh } from '../connections/refresh.js';
import type { VerifyCredential } from '../connections/verify-credential.js';
import type { Fetch } from '../http/fetch.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import type { ChangeReporter, OnChange } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { Spool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';

export interface CoreParts {
  readonly storage: Storage;
  readonly lock: Lock;
  readonly innerLock: Lock;
  /** Stores new tokens in files while the database is unavailable. */
  readonly spool: Spool;
  readonly caller: CurrentCaller;
  readonly onChange?: OnChange | undefined;
  /** Writes webhook events that report changes, such as a deleted account. Default: no events are written. */
  readonly reporter?: ChangeReporter | undefined;
  /** Ends the webhook subscriptions of an account. Default: does nothing. */
  readonly endSubscriptions?: EndSubscriptions | undefined;
  readonly onRefresh?: OnRefresh | undefined;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly connectors: Connectors;
  readonly tools: KnownTools;
  /** Sends HTTP requests to OAuth authorization servers. */
  readonly fetch: Fetch;
  readonly verifyCredential: VerifyCredential;
  /** Base URL under which users' browsers reach the service, without a trailing slash. */
  readonly environmentUrl: string;
  /** URL of the OAuth client metadata document, if the operator publishes it on another host. */
  readonly clientMetadataUrl?: string | undefined;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly now: () => number;
  /** Time in milliseconds for which connected accounts are cached. Default: the default of `createTtlCache`. */
  readonly accountCacheMs?: number | undefined;
  readonly random: Random;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), which spreads token refreshes over time. */
  readonly jitter: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}
