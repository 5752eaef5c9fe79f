import { ServiceError } from './errors.js';
import type { PlatformRequest, PlatformResponse } from './platform.js';

/** Where the service is and how to sign in. */
export interface ClientOptions {
  /** The address of the service. Default: `SVC_ENVIRONMENT_URL`. */
  environmentUrl?: string | undefined;
  /** The application's client id. Default: `SVC_CLIENT_ID`. */
  clientId?: string | undefined;
  /** The application's client secret; keep it out of browsers. Default: `SVC_CLIENT_SECRET`. */
  clientSecret?: string | undefined;
  /** A token, or what gives one for each call, in place of client id and secret: for browsers. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: ((request: PlatformRequest) => Promise<PlatformResponse>) | undefined;
  /** Milliseconds for a whole call, retries and waits included. Default: 120000. */
  timeout?: number | undefined;
  /** Headers for every call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Gives the option, or what the environment has in its place; throws `not_configured` when neither is there. */
export function setting(option: string | undefined, variable: string): string {
  const value = option || globalThis.process?.env?.[variable];
  if (value) return value;
  throw new ServiceError({
    code: 'not_configured',
    message: `Set ${variable}, or give the option`,
  });
}
