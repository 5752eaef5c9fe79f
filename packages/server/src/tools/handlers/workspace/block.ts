import { invalidField } from '../../../errors.js';
import type { Json } from '../json.js';
import { languageOf } from './language.js';
import { toRichText } from './rich-text.js';

const TEXT_TYPES: readonly string[] = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'bulleted_list_item',
  'numbered_list_item',
  'quote',
  'callout',
];
const SIMPLE_TYPES = [...TEXT_TYPES, 'code', 'divider'].join(', ');
const SIMPLE_KEYS: readonly string[] = ['object', 'type', 'text', 'language'];

/** Content block of a page in the simplified format of the tools: a type and plain text. */
export interface SimpleBlock {
  readonly type: string;
  readonly text?: string;
  readonly language?: string;
}

/**
 * Content block of a page in the tools' simplified format, or in the upstream's format, which has a key with the name
 * of the block type.
 */
export interface ContentBlock {
  readonly type?: string;
  readonly text?: string;
  readonly language?: string;
  readonly [key: string]: unknown;
}

/**
 * Converts a content block in the tools' simplified format to the upstream's format. `field`: name of the input that
 * contains the block, for error messages.
 */
export function toBlock(block: SimpleBlock, field: string): Json {
  const { type, text, language } = block;
  refuseOtherKeys(block, field);
  if (type === 'divider') return dividerOf(block, field);
  if (type !== 'code' && !TEXT_TYPES.includes(type)) {
    throw invalidField(`${field}.type`, 'enum', `must be one of ${SIMPLE_TYPES}`);
  }
  if (text === undefined) throw invalidField(`${field}.text`, 'required', 'is missing; send the plain text');
  const content = { type, text, language: type === 'code' ? (language ?? 'plain text') : language };
  return { object: 'block', type, ...toTextContent(content, `${field}.`) };
}

/**
 * Builds the content of a text block, under a key with the name of its type. `prefix`: prefix of the input names in
 * error messages.
 */
export function toTextContent(
  { type, text, language }: { type: string; text: string; language?: string | undefined },
  prefix: string,
): Json {
  const richText = toRichText(text, `${prefix}text`);
  if (language === undefined) return { [type]: { rich_text: richText } };
  if (type !== 'code')
    throw invalidField(`${prefix}language`, 'type', 'is allowed only in blocks of the type code; omit it');
  return { code: { rich_text: richText, language: languageOf(language) } };
}

/** Converts a content block in the tools' simplified format. Returns a block in the upstream's format unchanged. */
export function toContentBlock(block: ContentBlock, field: string): Json {
  const { type, text } = block;
  if (type !== undefined) return Object.hasOwn(block, type) ? block : toBlock({ ...block, type }, field);
  if (text === undefined) return block;
  throw invalidField(`${field}.type`, 'required', `is missing; use one of ${SIMPLE_TYPES}`);
}

// Refuses unknown keys of a block in the simplified format, because the conversion would silently drop them.
function refuseOtherKeys(block: SimpleBlock, field: string): void {
  const other = Object.keys(block).find((key) => !SIMPLE_KEYS.includes(key));
  if (other === undefined) return;
  const message = 'is unknown in a simple block; send only type and text (and language for code)';
  throw invalidField(`${field}.${other}`, 'additionalProperties', message);
}

function dividerOf({ text, language }: SimpleBlock, field: string): Json {
  if (text === undefined && language === undefined) return { object: 'block', type: 'divider', divider: {} };
  const name = text === undefined ? 'language' : 'text';
  throw invalidField(`${field}.${name}`, 'type', 'is not allowed for a divider; omit it');
}
