import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import type { AnswerBinding, Paging, RequestBinding } from '../tool.js';
import { type BoundRequest, bindRequest } from './bind-request.js';
import { type Answer, nextPage } from './next-page.js';
import { checkNeeds, dataOf } from './read-answer.js';

/** The part of a version with its requests and the treatment of responses. */
export interface Playable {
  readonly requests: readonly RequestBinding[];
  readonly answer?: AnswerBinding | undefined;
  readonly paging?: Paging | undefined;
}

/** A valid input with defaults, and its schema. */
export interface PlayInput {
  readonly input: JsonObject;
  readonly schema: JsonSchema;
}

/**
 * The requests of a version, one after the other: takes the answer to each, and ends with what the caller gets.
 * Throws `InvalidInputError` for an input that fits into no path, `AnswerError` for an answer that lacks what is needed.
 */
export function* play(
  { requests, answer: binding, paging }: Playable,
  { input, schema }: PlayInput,
): Generator<BoundRequest, unknown, Answer> {
  let answer: Answer = { body: undefined };
  for (const request of requests) {
    answer = yield bindRequest(request, { input, answer: answer.body });
    if (request.needs) checkNeeds(request.needs, { input, answer: answer.body });
  }
  const data = dataOf(binding, { input, answer: answer.body });
  if (paging === undefined || !isWorkedOut(paging) || !isJsonObject(data)) return data;
  return { ...data, [paging.output]: nextPage({ paging, input, schema, answer, data }) };
}

/** Returns whether the service calculates the value for the next page, instead of reading it from the response. */
export const isWorkedOut = ({ page, offset, link }: Paging): boolean =>
  page !== undefined || offset !== undefined || link !== undefined;
