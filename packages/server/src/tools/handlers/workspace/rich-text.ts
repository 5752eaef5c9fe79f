import { invalidInput } from '../../invalid-input.js';

const MAX_CONTENT = 2000;
const MAX_ITEMS = 100;

export interface TextItem {
  readonly type: 'text';
  readonly text: { readonly content: string };
}

/**
 * Converts plain text to rich text. Throws invalid_input if the text is too long. `field`: name of the input, for the
 * error message.
 */
export function toRichText(text: string, field: string): TextItem[] {
  const items: TextItem[] = [];
  for (let start = 0; start < text.length; ) {
    const end = cutAt(text, start + MAX_CONTENT);
    items.push({ type: 'text', text: { content: text.slice(start, end) } });
    start = end;
  }
  if (items.length > MAX_ITEMS) {
    throw invalidInput(
      field,
      'maxLength',
      `has ${text.length} characters, but one text can have ${MAX_CONTENT * MAX_ITEMS}; split it`,
    );
  }
  return items;
}

// Returns where to cut a text at `end`. Moves the cut back by one if it would split a surrogate pair.
function cutAt(text: string, end: number): number {
  return isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
