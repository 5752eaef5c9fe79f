import { invalidField } from '../../../errors.js';
import { sliceText } from '../../../text/slice-text.js';

const MAX_CONTENT_CHARACTERS = 2000;
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
    const content = sliceText(text, start, start + MAX_CONTENT_CHARACTERS);
    items.push({ type: 'text', text: { content } });
    start += content.length;
  }
  if (items.length > MAX_ITEMS) {
    throw invalidField(
      field,
      'maxLength',
      `has ${text.length} UTF-16 code units (most emoji have two), but one text can have ${MAX_CONTENT_CHARACTERS * MAX_ITEMS}; split it`,
    );
  }
  return items;
}
