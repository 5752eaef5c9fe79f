import { auth } from '@googleapis/calendar';
import type { Operation } from '../support/battery.js';
import type { Address } from '../support/ways.js';

/** Options of a call beside its parameters, because the clients drop the path of a configured root URL. */
export interface CallOptions {
  readonly rootUrl: string;
}

/** A client of one of the company's APIs, and how it is called. */
export interface GoogleApi<Api> {
  readonly api: Api;
  /** Calls at the address, and gives what came back. */
  readonly at: <Data>(call: (options: CallOptions) => Promise<{ data: Data }>) => Promise<Data>;
}

export type GoogleOperation<Api> = Operation<GoogleApi<Api>>;

/** Credentials that are a token and nothing else. */
export function tokenOf({ token }: Address): InstanceType<typeof auth.OAuth2> {
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: token });
  return client;
}

export const atAddress =
  ({ baseUrl }: Address): GoogleApi<unknown>['at'] =>
  async (call) => {
    const { data } = await call({ rootUrl: baseUrl });
    return data;
  };
