import { isJsonObject, type JsonObject } from '@svc/catalog';
import type { Exchange } from './send-request.js';

/** Query parameters and fields of the JSON body that are added to each upstream request of a tool call. */
export interface AddedParts {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Readonly<JsonObject> | undefined;
}

export const addToRequests =
  (exchange: Exchange, { query, body }: AddedParts): Exchange =>
  (request) =>
    exchange({
      ...request,
      query: { ...request.query, ...query },
      ...(body !== undefined && { body: { ...(isJsonObject(request.body) && request.body), ...body } }),
    });
