import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.js';
import type { Dials } from './dials.js';
import type { AuthorizationServer } from './oauth/authorization-server.js';
import type { OAuthProfile } from './oauth/profile.js';

/** Everything that the frame needs to know of one emulated service: one folder of `upstreams/` exports one of these. */
export interface Upstream {
  readonly id: string;
  readonly title: string;
  readonly oauth: OAuthProfile;
  /** The service's own error body for a status that a dial asks for. */
  failure(status: number, requestId: string): unknown;
  /** Adds the service's routes, with its real paths. */
  mount(app: FastifyInstance, context: UpstreamContext): UpstreamHandle;
}

export interface UpstreamContext {
  readonly clock: Clock;
  readonly authorizationServer: AuthorizationServer;
  dials(): Dials;
}

export interface UpstreamHandle {
  /** Back to the seeded data. */
  reset(): void;
}
