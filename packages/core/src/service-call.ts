import type { PlatformSearchParams } from './platform.js';

/** Query parameters. `undefined` leaves one out. `URLSearchParams` can repeat one. */
export type QueryParams =
  | Readonly<Record<string, string | number | boolean | undefined>>
  | PlatformSearchParams;

/** One request to the service. */
export interface ServiceCall {
  method: string;
  /** A path of the service, such as `/v1/connectors`. */
  path: string;
  queryParams?: QueryParams | undefined;
  /** Sent as JSON. */
  body?: unknown;
}
