import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.js';
import type { Dials, RateLimit } from './dials.js';
import type { KeyCheck } from './keys.js';
import type { AuthorizationServer } from './oauth/authorization-server.js';
import type { OAuthProfile } from './oauth/profile.js';

/** Definition of one emulated service. Each folder of `upstreams/` exports one definition. */
export type Upstream = OAuthUpstream | KeyUpstream;

interface UpstreamCommon {
  readonly id: string;
  readonly title: string;
  /** Additional hosts of the service, by the names that the connector uses. */
  readonly hosts?: Readonly<Record<string, UpstreamHost>>;
  readonly rateLimit?: RateLimit;
  /** Builds the service's own error body for a status that a dial sets. */
  failure(status: number, requestId: string, host?: string): unknown;
}

/** An additional host of the service. The routes follow `path` and have the real paths. */
interface UpstreamHost {
  /** Path after the prefix of the emulated service, such as `/analytics`. */
  readonly path: string;
  /** API key check for a host of another company. Default: the authorization of the emulated service. */
  readonly key?: KeyCheck;
}

export interface OAuthUpstream extends UpstreamCommon {
  readonly oauth: OAuthProfile;
  readonly key?: undefined;
  /** Adds the routes of the service, with the real paths. */
  mount(app: FastifyInstance, context: OAuthContext): UpstreamHandle;
}

/**
 * A service with API keys or manually created tokens. The sandbox checks the key, so that routes receive only
 * authorized requests.
 */
export interface KeyUpstream extends UpstreamCommon {
  readonly key: KeyCheck;
  readonly oauth?: undefined;
  mount(app: FastifyInstance, context: UpstreamContext): UpstreamHandle;
}

export interface UpstreamContext {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Server of the whole sandbox, for documents outside the prefix of the emulated service, such as OAuth metadata. */
  readonly root: FastifyInstance;
  dials(): Dials;
}

export interface OAuthContext extends UpstreamContext {
  readonly authorizationServer: AuthorizationServer;
}

export interface UpstreamHandle {
  /**
   * Sends the service's webhooks for a trigger. Returns the number of webhooks that responded with 2xx. Absent if the
   * service has no webhooks.
   */
  sendWebhooks?(trigger: string): Promise<number>;
  reset(): void;
}
