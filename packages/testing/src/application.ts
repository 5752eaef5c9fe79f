import { type Client, createClient } from '@svc/core';

/** Credentials of an application at the service. */
export interface ApplicationCredentials {
  /** Base URL of the service. */
  readonly environmentUrl: string;
  /** Client id of the application. */
  readonly clientId: string;
  /** Client secret of the application. */
  readonly clientSecret: string;
}

/** Application at the service, with its credentials for the tested code. */
export interface Application {
  /** Base URL of the service. */
  readonly environmentUrl: string;
  /** The credentials as options of a client: `createClient(clientOptions)`. */
  readonly clientOptions: ApplicationCredentials;
  /** The credentials as environment variables for `createClient()`: `Object.assign(process.env, env)`. */
  readonly env: Readonly<Record<'SVC_ENVIRONMENT_URL' | 'SVC_CLIENT_ID' | 'SVC_CLIENT_SECRET', string>>;
  /** Client of this application, ready to use. */
  readonly client: Client;
}

export const createApplication = (credentials: ApplicationCredentials): Application => ({
  environmentUrl: credentials.environmentUrl,
  clientOptions: credentials,
  env: {
    SVC_ENVIRONMENT_URL: credentials.environmentUrl,
    SVC_CLIENT_ID: credentials.clientId,
    SVC_CLIENT_SECRET: credentials.clientSecret,
  },
  client: createClient(credentials),
});
