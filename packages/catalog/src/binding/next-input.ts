import type { JsonObject } from '../json-schema.js';
import type { Paging } from '../tool.js';
import { at } from './reference.js';

const isNothing = (token: unknown): boolean => token == null || token === '' || token === false;

/** Whether data tell of a page after this one. */
export const hasNextPage = ({ output }: Paging, data: unknown): boolean => !isNothing(at(data, output));

/** The inputs that the next page takes in place of those of this one; undefined after the last, and where no input asks for it. */
export function nextInput(paging: Paging | undefined, data: unknown): JsonObject | undefined {
  if (paging?.input === undefined || !hasNextPage(paging, data)) return undefined;
  const places = Object.entries({ [paging.input]: paging.output, ...paging.also });
  const values = places.map(([name, place]) => [name, at(data, place)]);
  return Object.fromEntries(values.filter(([, value]) => value != null));
}
