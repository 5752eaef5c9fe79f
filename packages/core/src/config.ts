import type {
  PlatformAbortSignal,
  PlatformBlob,
  PlatformHeaders,
  PlatformReadableStream,
  PlatformResponse,
  PlatformSearchParams,
} from './platform.js';
import type { IssuedToken } from './token-limits.js';

/** The second argument of `fetch`: a plain object, which may be changed and passed on. */
export interface FetchInit {
  method: string;
  headers: PlatformHeaders;
  /** JSON as a string, anything else unchanged. */
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
  /** Required by platforms for a stream. */
  duplex: 'half';
}

/** A token as a string, or the result of `accountToken` or `agentToken`. */
export type GivenToken = string | Pick<IssuedToken, 'token' | 'expiresAt'>;

/** The address of the service, and how to sign in. */
export interface ClientOptions {
  /** The address of the service. Default: `SVC_ENVIRONMENT_URL`; a page has no default. */
  environmentUrl?: string | undefined;
  /** The application's client id. A page has none. Default: `SVC_CLIENT_ID`. */
  clientId?: string | undefined;
  /** The application's client secret. Omit it in a browser. Default: `SVC_CLIENT_SECRET`. */
  clientSecret?: string | undefined;
  /**
   * A token, or a function that returns one, in place of client id and secret: for browsers and agents. The result of
   * `accountToken` is cached until shortly before it expires. A function that returns a string runs for each call.
   */
  accessToken?: string | (() => GivenToken | Promise<GivenToken>) | undefined;
  /**
   * Sends each request, with the arguments of the platform's `fetch`. Use it to log, trace or change requests. Default: the
   * global `fetch`.
   */
  fetch?: ((url: string, init: FetchInit) => Promise<PlatformResponse>) | undefined;
  /** Milliseconds for a whole call, including retries and waits. Default: 120000. */
  timeout?: number | undefined;
  /** The most retries of a call, where they are safe. Default: 2. */
  maxRetries?: number | undefined;
  /** Headers for every call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options in which clients of one application can differ. */
export type SharedOptions = Omit<
  ClientOptions,
  'environmentUrl' | 'clientId' | 'clientSecret' | 'accessToken'
>;
