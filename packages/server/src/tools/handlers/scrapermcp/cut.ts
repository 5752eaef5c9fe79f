import { cutText } from '@svc/catalog';
import type { McpContent } from '../../handler.js';
import type { Json } from '../json.js';

/** Maximum size of a tool result, in characters of its JSON. */
export const MAX_CHARACTERS = 1_000_000;

/**
 * Returns the first items of a list, as many as fit into `MAX_CHARACTERS`, so that the tool result is not too large.
 */
export function itemsThatFit(items: readonly unknown[]): readonly unknown[] {
  let left = MAX_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** Builds the note that tells the caller how to read the items that were cut off. */
export function cutNote(datasetId: string, { from, included }: { from: number; included: number }): string {
  const tool = `scrapermcp_get_actor_output with datasetId "${datasetId}" and offset ${from + included}`;
  return included === 0
    ? `The first item is longer than ${MAX_CHARACTERS} characters. Call ${tool}, and select fewer fields with "fields".`
    : `The result was cut after ${included} items, at ${MAX_CHARACTERS} characters. Continue with ${tool}.`;
}

/** Shortens the named text field of a tool result if it is longer than `MAX_CHARACTERS`, and adds a note about it. */
export function withCutText(result: Json, name: string): Json {
  const text = result[name];
  if (typeof text !== 'string' || text.length <= MAX_CHARACTERS) return result;
  const note = `"${name}" was cut. It has ${text.length} characters, and a result can have ${MAX_CHARACTERS}.`;
  return { ...result, [name]: cutText(text, MAX_CHARACTERS), note };
}

/**
 * Returns the first content blocks of a tool result, as many as fit into `MAX_CHARACTERS`. The last block may be
 * shortened.
 */
export function blocksThatFit(content: readonly McpContent[]): readonly McpContent[] {
  let left = MAX_CHARACTERS;
  return content.flatMap((block) => {
    const length = JSON.stringify(block).length;
    const text = block.text && cutText(block.text, Math.max(0, left));
    left -= length;
    if (left >= 0) return block;
    return text === undefined || text === '' || text === '…' ? [] : { ...block, text };
  });
}
