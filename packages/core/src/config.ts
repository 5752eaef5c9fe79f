import type {
  PlatformAbortSignal,
  PlatformBlob,
  PlatformHeaders,
  PlatformReadableStream,
  PlatformResponse,
  PlatformSearchParams,
} from './platform.js';
import type { IssuedToken } from './token-limits.js';

/** Second argument of `fetch`: a plain object, which a custom `fetch` may change and pass on. */
export interface FetchInit {
  method: string;
  headers: PlatformHeaders;
  /** The request body: JSON as a string, anything else unchanged. */
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
  /** Required by `fetch` on some platforms for a streamed body. */
  duplex: 'half';
}

/** Token as a string, or as the result of `accountToken` or `agentToken`, which also contains its expiry. */
export type GivenToken = string | Pick<IssuedToken, 'token' | 'expiresAt'>;

/** Options of a client: the address of the service, the credentials, and defaults for calls. */
export interface ClientOptions {
  /** Address of the service. Default: the environment variable `SVC_ENVIRONMENT_URL`. Required in a page. */
  environmentUrl?: string | undefined;
  /**
   * Client id of the application. Default: the environment variable `SVC_CLIENT_ID`. A page uses `accessToken` instead.
   */
  clientId?: string | undefined;
  /**
   * Client secret of the application. Default: the environment variable `SVC_CLIENT_SECRET`. Never use the secret in a
   * browser.
   */
  clientSecret?: string | undefined;
  /**
   * Token, or a function that returns a token, instead of client id and secret: for browsers and agents. The result of
   * `accountToken` is cached until shortly before it expires. A function that returns a string runs for each call.
   */
  accessToken?: string | (() => GivenToken | Promise<GivenToken>) | undefined;
  /**
   * Function that sends each request, with the arguments of the platform's `fetch`. Use it to log, trace or change
   * requests. Default: the global `fetch`.
   */
  fetch?: ((url: string, init: FetchInit) => Promise<PlatformResponse>) | undefined;
  /** Timeout of a whole call in milliseconds, including retries and waits. Default: 120000. */
  timeout?: number | undefined;
  /** Maximum number of retries of a call that is safe to repeat. Default: 2. */
  maxRetries?: number | undefined;
  /** Headers that are added to every call of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Options that `withOptions` can change. The address and the credentials are excluded, because all clients made from
 * one client share them.
 */
export type SharedOptions = Omit<
  ClientOptions,
  'environmentUrl' | 'clientId' | 'clientSecret' | 'accessToken'
>;
