import { isJsonObject, type JsonObject } from '@svc/catalog';
import type { Exchange } from './send-request.js';

/** Query parameters and fields of the JSON body that are added to each upstream request of a tool call. */
export interface AddedParts {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: Readonly<JsonObject> | undefined;
}

/** Wraps `exchange`, so that each request of the tool call has these query parameters and body fields too. */
export function addToRequests(exchange: Exchange, { query, body }: AddedParts): Exchange {
  return function exchangeWithParts(request) {
    return exchange({
      ...request,
      query: { ...request.query, ...query },
      ...(body !== undefined && { body: { ...(isJsonObject(request.body) && request.body), ...body } }),
    });
  };
}
