import { type Client, createClient } from '@svc/core';

/** Settings of a client. `createClient` accepts this object. */
export interface Credentials {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An application as the service knows it, for the code that is tested. */
export interface Application extends Credentials {
  /** The same by the names that `createClient()` reads: `Object.assign(process.env, env)`. */
  readonly env: Readonly<Record<'SVC_ENVIRONMENT_URL' | 'SVC_CLIENT_ID' | 'SVC_CLIENT_SECRET', string>>;
  /** A client of it, ready to use. */
  readonly client: Client;
}

export const createApplication = (credentials: Credentials): Application => ({
  ...credentials,
  env: {
    SVC_ENVIRONMENT_URL: credentials.environmentUrl,
    SVC_CLIENT_ID: credentials.clientId,
    SVC_CLIENT_SECRET: credentials.clientSecret,
  },
  client: createClient(credentials),
});
