import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import type { Paging, RequestBinding, ResponseBinding } from '../tool.js';
import { type BoundRequest, bindRequest } from './bind-request.js';
import { checkNextPage, nextPage, type ParsedResponse } from './next-page.js';
import { checkNeeds, dataOf } from './read-response.js';

/** Parts of a tool version that `play` needs: the upstream requests, the template of the data, and the paging. */
export interface Playable {
  readonly requests: readonly RequestBinding[];
  readonly response?: ResponseBinding | undefined;
  readonly paging?: Paging | undefined;
}

/** Valid tool input with defaults, and its schema. */
export interface PlayInput {
  readonly input: JsonObject;
  readonly schema: JsonSchema;
}

/**
 * Runs the upstream requests of a tool version in sequence. Yields each request, receives its response, and returns the
 * data for the caller. Throws `InvalidInputError` for an input value that cannot be part of a path. Throws
 * `ResponseError` for a response that lacks a required part.
 */
export function* play(
  { requests, response: binding, paging }: Playable,
  { input, schema }: PlayInput,
): Generator<BoundRequest, unknown, ParsedResponse> {
  let response: ParsedResponse = { body: undefined };
  for (const request of requests) {
    response = yield bindRequest(request, { input, response: response.body });
    if (request.needs) checkNeeds(request.needs, { input, response: response.body });
  }
  const data = dataOf(binding, { input, response: response.body });
  if (paging === undefined) return data;
  const paged =
    isWorkedOut(paging) && isJsonObject(data)
      ? { ...data, [paging.output]: nextPage({ paging, input, schema, response, data }) }
      : data;
  checkNextPage(paging, paged);
  return paged;
}

/**
 * Returns true if the service calculates the value that requests the next page, instead of reading it from the upstream
 * response.
 */
export const isWorkedOut = ({ page, offset, link, last }: Paging): boolean =>
  [page, offset, link, last].some((way) => way !== undefined);
