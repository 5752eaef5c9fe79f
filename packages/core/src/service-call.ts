import type { PlatformSearchParams } from './platform.js';

/**
 * Query parameters of a request. A parameter with the value `undefined` is left out. Use `URLSearchParams` to repeat a
 * parameter.
 */
export type QueryParams =
  | Readonly<Record<string, string | number | boolean | undefined>>
  | PlatformSearchParams;

/** Request to the service. */
export interface ServiceCall {
  method: string;
  /** Path of the service, such as `/v1/connectors`. */
  path: string;
  queryParams?: QueryParams | undefined;
  /** Body of the request, sent as JSON. */
  body?: unknown;
}
