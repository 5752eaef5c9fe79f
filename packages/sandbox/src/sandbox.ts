import type { Dials } from './dials.js';
import type { RecordedRequest } from './recorder.js';

/** URLs of one emulated service. */
export interface SandboxUpstream {
  readonly id: string;
  readonly title: string;
  /** URL that replaces the real service's host, such as `http://127.0.0.1:4401/calendar`. */
  readonly baseUrl: string;
  /** Base URLs of the service's additional hosts, by host name. */
  readonly hosts?: Readonly<Record<string, string>>;
  /**
   * OAuth authorization endpoint. All three endpoints are absent for a service with API keys, which accepts any key
   * that begins with `sandbox-`.
   */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  /** Supported OAuth scopes. Empty if the service has none. */
  readonly scopes: readonly string[];
}

/** Clock of the sandbox. Tests can move it forward. */
export interface SandboxClock {
  /** Returns the sandbox time in epoch milliseconds. */
  now(): Promise<number>;
  /** Moves the clock forward, so that tokens expire and quotas refill. Returns the new time in epoch milliseconds. */
  advance(ms: number): Promise<number>;
  /** Sets the clock back to the real time. */
  reset(): Promise<void>;
}

/** An OAuth client that an earlier sandbox registered. */
export interface KnownClient {
  /** Id of the emulated service, such as `calendar`. */
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/** A running sandbox, in this process or in another one. */
export interface Sandbox {
  readonly url: string;
  readonly upstreams: readonly SandboxUpstream[];
  /** Returns the URLs of one emulated service. Throws if the sandbox does not run this service. */
  upstream(id: string): SandboxUpstream;
  /** Registers an OAuth client with the authorization server of one emulated service. */
  registerClient(
    id: string,
    client: { redirectUris: readonly string[]; name?: string },
  ): Promise<{ clientId: string; clientSecret: string }>;
  /** Changes dials of one emulated service and returns all its dials. Without `changes`, only returns them. */
  dials(id: string, changes?: Partial<Dials>): Promise<Dials>;
  /** Expires all access tokens of the service now. Refresh tokens stay valid. */
  expireTokens(id: string): Promise<void>;
  /** Revokes all consents of the service. Its access tokens, refresh tokens and used API keys stop working. */
  revokeGrants(id: string): Promise<void>;
  /**
   * Sends the webhooks of one emulated service for a trigger, such as `conversation_processed`, to addresses on this
   * machine. Returns the number of webhooks that responded with 2xx.
   */
  sendWebhooks(id: string, trigger: string): Promise<number>;
  readonly clock: SandboxClock;
  /** Returns the last 1000 recorded requests, oldest first. */
  requests(id?: string): Promise<RecordedRequest[]>;
  clearRequests(): Promise<void>;
  /** Restores the seeded data, default dials and real time. Deletes all tokens, but keeps registered clients. */
  reset(): Promise<void>;
  /** Stops the server. Does nothing for a sandbox in another process. */
  stop(): Promise<void>;
}
