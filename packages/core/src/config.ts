import { ServiceError } from './errors.js';
import type { PlatformRequest, PlatformResponse } from './platform.js';

/** Where the service is and how to sign in. Each of the first three falls back to its environment variable. */
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

const VARIABLE = {
  environmentUrl: 'SVC_ENVIRONMENT_URL',
  clientId: 'SVC_CLIENT_ID',
  clientSecret: 'SVC_CLIENT_SECRET',
} as const;

/** Reads one setting from the options or the environment; throws `not_configured` when neither has it. */
export function setting(options: ClientOptions, name: keyof typeof VARIABLE): string {
  const value = options[name] || globalThis.process?.env?.[VARIABLE[name]];
  if (!value) {
    throw new ServiceError('not_configured', `Give createClient the ${name}, or set ${VARIABLE[name]}`);
  }
  return value;
}
