import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.js';
import type { Dials, RateLimit } from './dials.js';
import type { KeyCheck } from './keys.js';
import type { AuthorizationServer } from './oauth/authorization-server.js';
import type { OAuthProfile } from './oauth/profile.js';

/** Everything that the frame needs to know of one emulated service: one folder of `upstreams/` exports one of these. */
export type Upstream = OAuthUpstream | KeyUpstream;

interface UpstreamCommon {
  readonly id: string;
  readonly title: string;
  /** Further hosts of the service, by the names that the connector gives them. */
  readonly hosts?: Readonly<Record<string, UpstreamHost>>;
  readonly rateLimit?: RateLimit;
  /** The service's own error body for a status that a dial asks for. */
  failure(status: number, requestId: string, host?: string): unknown;
}

/** A host of the service beside its main one. Its routes are added with their real paths behind `path`. */
interface UpstreamHost {
  /** Path below the upstream's own prefix, such as `/analytics`. */
  readonly path: string;
  /** Position of another company's key; absent: the authorization of the upstream applies. */
  readonly key?: KeyCheck;
}

export interface OAuthUpstream extends UpstreamCommon {
  readonly oauth: OAuthProfile;
  readonly key?: undefined;
  /** Adds the service's routes, with its real paths. */
  mount(app: FastifyInstance, context: OAuthContext): UpstreamHandle;
}

/** A service that takes keys or tokens made by hand. The frame checks them: routes see authorized requests only. */
export interface KeyUpstream extends UpstreamCommon {
  readonly key: KeyCheck;
  readonly oauth?: undefined;
  mount(app: FastifyInstance, context: UpstreamContext): UpstreamHandle;
}

export interface UpstreamContext {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** The sandbox itself, for documents that stand before the upstream's own address. */
  readonly root: FastifyInstance;
  dials(): Dials;
}

export interface OAuthContext extends UpstreamContext {
  readonly authorizationServer: AuthorizationServer;
}

export interface UpstreamHandle {
  reset(): void;
}
