import type { Dials } from './dials.js';
import type { RecordedRequest } from './recorder.js';

/** Addresses of one emulated service. */
export interface SandboxUpstream {
  readonly id: string;
  readonly title: string;
  /** URL that replaces the real host: `http://127.0.0.1:4401/calendar`. */
  readonly baseUrl: string;
  /** Base URLs of its further hosts by their names. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** The three endpoints are absent where an account is authorized by a key: any that begins with `sandbox-`. */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  /** Scopes that exist; empty when the service has none. */
  readonly scopes: readonly string[];
}

/** The time that the sandbox lives in. */
export interface SandboxClock {
  /** Milliseconds since 1970, in the sandbox. */
  now(): Promise<number>;
  /** Moves the clock forward: tokens expire, quotas refill. Returns the new time. */
  advance(ms: number): Promise<number>;
  /** Back to the real time. */
  reset(): Promise<void>;
}

/** A client as it was registered. */
export interface KnownClient {
  /** Id of the upstream. */
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/** A running sandbox, in this process or in another one. */
export interface Sandbox {
  readonly url: string;
  readonly upstreams: readonly SandboxUpstream[];
  /** Addresses of one emulated service; throws when it is not running. */
  upstream(id: string): SandboxUpstream;
  /** Registers an application with one upstream's authorization server. */
  registerClient(
    id: string,
    client: { redirectUris: readonly string[]; name?: string },
  ): Promise<{ clientId: string; clientSecret: string }>;
  /** Turns dials of one upstream, and returns all of them; without changes it only reads. */
  dials(id: string, changes?: Partial<Dials>): Promise<Dials>;
  /** Ends the life of all access tokens now; refresh tokens stay good. */
  expireTokens(id: string): Promise<void>;
  /** Forgets every approval: access and refresh tokens stop working, and so does every key that was used. */
  revokeGrants(id: string): Promise<void>;
  readonly clock: SandboxClock;
  /** The last 1000 requests, oldest first. */
  requests(id?: string): Promise<RecordedRequest[]>;
  clearRequests(): Promise<void>;
  /** Back to the seeded data, default dials and real time; tokens are forgotten, registered clients stay. */
  reset(): Promise<void>;
  /** Stops the server; nothing to do for a sandbox of another process. */
  stop(): Promise<void>;
}
