import type {
  PlatformAbortSignal,
  PlatformBlob,
  PlatformHeaders,
  PlatformReadableStream,
  PlatformResponse,
  PlatformSearchParams,
} from './platform.js';
import type { IssuedToken } from './token-limits.js';

/** What `fetch` is given beside the address: a plain object, to be changed and handed on. */
export interface FetchInit {
  method: string;
  headers: PlatformHeaders;
  /** JSON as a text, anything else as it was given. */
  body:
    | string
    | Uint8Array<ArrayBuffer>
    | ArrayBuffer
    | PlatformBlob
    | PlatformSearchParams
    | PlatformReadableStream
    | null;
  signal: PlatformAbortSignal;
  redirect: 'manual';
  /** As platforms want it with a stream. */
  duplex: 'half';
}

/** A token as a text, or as the service gave it. */
export type GivenToken = string | Pick<IssuedToken, 'token' | 'expiresAt'>;

/** Where the service is and how to sign in. */
export interface ClientOptions {
  /** The address of the service. Default: `SVC_ENVIRONMENT_URL`, but not in a page. */
  environmentUrl?: string | undefined;
  /** The application's client id; a page takes none. Default: `SVC_CLIENT_ID`. */
  clientId?: string | undefined;
  /** The application's client secret; a page takes none. Default: `SVC_CLIENT_SECRET`. */
  clientSecret?: string | undefined;
  /**
   * In place of client id and secret, for browsers and agents: a token, or what gives one. What `accountToken` gave is kept until
   * shortly before it ends; a text is asked for with each call.
   */
  accessToken?: string | (() => GivenToken | Promise<GivenToken>) | undefined;
  /** Sends each request, called as the platform's own is: the place to log, trace or change them. Default: the global `fetch`. */
  fetch?: ((url: string, init: FetchInit) => Promise<PlatformResponse>) | undefined;
  /** Milliseconds for a whole call, retries and waits included. Default: 120000. */
  timeout?: number | undefined;
  /** How often a call is repeated at most, where that is safe. Default: 2. */
  maxRetries?: number | undefined;
  /** Headers for every call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options that clients of one application can have apart. */
export type SharedOptions = Omit<
  ClientOptions,
  'environmentUrl' | 'clientId' | 'clientSecret' | 'accessToken'
>;
