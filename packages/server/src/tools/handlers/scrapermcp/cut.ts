import { cutText } from '@svc/catalog';
import type { McpContent } from '../../handler.js';
import type { Json } from '../json.js';

/** Bound of a result, in characters of JSON. */
export const MAX_CHARACTERS = 1_000_000;

/** The first items, as many as fit. */
export function itemsThatFit(items: readonly unknown[]): readonly unknown[] {
  let left = MAX_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** Note about the items that were cut off, and how to read them. */
export function cutNote(datasetId: string, { from, kept }: { from: number; kept: number }): string {
  const tool = `scrapermcp_get_actor_output with datasetId "${datasetId}" and offset ${from + kept}`;
  return kept === 0
    ? `The first item alone is longer than ${MAX_CHARACTERS} characters. Select fields: ${tool} with fields.`
    : `Cut after ${kept} items: a result holds at most ${MAX_CHARACTERS} characters. Continue with ${tool}.`;
}

/** Cuts a long text of the answer, and adds a note about it. */
export function withCutText(answer: Json, name: string): Json {
  const text = answer[name];
  if (typeof text !== 'string' || text.length <= MAX_CHARACTERS) return answer;
  const note = `"${name}" was cut: it has ${text.length} characters, of which a result holds ${MAX_CHARACTERS}.`;
  return { ...answer, [name]: cutText(text, MAX_CHARACTERS), note };
}

/** The first blocks, as many as fit. */
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
