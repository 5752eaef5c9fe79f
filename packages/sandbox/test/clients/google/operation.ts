import { auth } from '@googleapis/calendar';
import type { Operation } from '../support/battery.js';
import type { Address } from '../support/ways.js';

/** Root URL per call. Google's clients drop the path of a root URL that is configured only once. */
export interface CallOptions {
  readonly rootUrl: string;
}

/** Google API client together with the function that sends its calls to the tested URL. */
export interface GoogleApi<Api> {
  readonly api: Api;
  /** Runs a call with the tested root URL and returns the response data. */
  readonly at: <Data>(call: (options: CallOptions) => Promise<{ data: Data }>) => Promise<Data>;
}

export type GoogleOperation<Api> = Operation<GoogleApi<Api>>;

/** Creates OAuth credentials from an access token only. */
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
