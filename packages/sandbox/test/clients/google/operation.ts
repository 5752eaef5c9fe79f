import { auth } from '@googleapis/calendar';
import type { Operation } from '../support/battery.js';
import type { Address } from '../support/ways.js';

/** What a call is told beside its parameters: the clients drop the path of an address that they are made with. */
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
