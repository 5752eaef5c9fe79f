import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Send, UpstreamRequest } from '../../handler.js';
import { type Json, objectIn } from '../workspace/json.js';

type Query = NonNullable<UpstreamRequest['query']>;

/** For flags whose presence alone says yes: they are sent when true, and left out otherwise. */
export const flag = (value: boolean | undefined): true | undefined => value || undefined;

function failed(problem: string, body: Json): ServiceError {
  return new ServiceError('upstream_failed', `The upstream answered 200, but ${problem}.`, {
    status: 200,
    body,
  });
}

// The service tells some failures in an answer of status 200.
async function read(send: Send, path: string, query: Query): Promise<Json> {
  const answer = objectIn(await send({ method: 'GET', path, query }), 'an object');
  const { error } = answer;
  if (error === undefined || error === null || error === '') return answer;
  throw failed(`with an error${typeof error === 'string' ? `: ${error}` : ''}`, answer);
}

/** Reads one record. */
export async function readItem(send: Send, path: string, query: Query): Promise<Json> {
  const answer = await read(send, path, query);
  if (isJsonObject(answer['element'])) return answer;
  throw failed('without the record', answer);
}

/** Reads a list that has one page. */
export async function readList(send: Send, path: string, query: Query): Promise<Json> {
  const answer = await read(send, path, query);
  if (Array.isArray(answer['elements'])) return answer;
  throw failed('without the list', answer);
}

/** Reads a page of a list, and adds the number of the page that follows; null after the last. */
export async function readPage(send: Send, path: string, query: Query): Promise<Json> {
  const answer = await readList(send, path, query);
  return { ...answer, nextPage: nextPageOf(answer) };
}

function nextPageOf({ pagination }: Json): number | null {
  const { pageNumber, totalPages } = isJsonObject(pagination) ? pagination : {};
  const isKnown = typeof pageNumber === 'number' && typeof totalPages === 'number';
  return isKnown && pageNumber < totalPages ? pageNumber + 1 : null;
}
