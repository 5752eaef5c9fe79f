import { isObject } from '../../json.js';
import { PERSON_USERS } from './identity.js';
import {
  anything,
  boolean,
  canonicalId,
  each,
  isoDate,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  tagged,
  text,
  uuid,
} from './shape.js';

export interface RichText {
  readonly type: string;
  readonly plain_text: string;
  readonly href: string | null;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly [type: string]: unknown;
}

const HUES = ['gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'] as const;
export const OPTION_COLORS = ['default', ...HUES] as const;
export const TEXT_COLORS = ['default', ...HUES, ...HUES.map((hue) => `${hue}_background`)] as const;

const STYLES = 'bold italic strikethrough underline code';
const PLAIN = { ...each<unknown>(STYLES, false), color: 'default' };
const annotations = object({ ...each(STYLES, boolean), color: oneOf(...TEXT_COLORS) });

const mention = tagged({
  user: object({ id: uuid, object: oneOf('user') }, ['id']),
  date: object({ start: isoDate, end: nullable(isoDate), time_zone: nullable(text()) }, ['start']),
  ...each('page database', object({ id: uuid }, ['id'])),
  link_mention: object({ url: text({ min: 1, max: 2000 }) }, ['url']),
  template_mention: anything,
  custom_emoji: object({ id: uuid, name: text(), url: text() }, ['id']),
});

const item = tagged(
  {
    text: object(
      {
        content: text({ max: 2000 }),
        link: nullable(object({ url: text({ max: 2000 }), type: oneOf('url') }, ['url'])),
      },
      ['content'],
    ),
    mention,
    equation: object({ expression: text({ max: 1000 }) }, ['expression']),
  },
  { annotations, plain_text: anything, href: anything },
);

export const richTextShape: Shape = list(item, { max: 100 });

/** Fills in the default fields of rich text. The value must have passed `richTextShape`. */
export function richText(value: unknown): RichText[] {
  return Array.isArray(value) ? value.filter(isObject).map(completeItem) : [];
}

function completeItem(value: Record<string, unknown>): RichText {
  const type = ['text', 'mention', 'equation'].find((key) => value[key] !== undefined) ?? 'text';
  const content = isObject(value[type]) ? value[type] : {};
  if (type === 'mention') return completeMention(content, value);
  const link =
    isObject(content.link) && typeof content.link.url === 'string' ? { url: content.link.url } : null;
  return {
    type,
    [type]: type === 'text' ? { content: content.content, link } : { expression: content.expression },
    annotations: { ...PLAIN, ...(isObject(value.annotations) ? value.annotations : {}) },
    plain_text: String(content.content ?? content.expression ?? value.plain_text ?? ''),
    href: link?.url ?? null,
  };
}

/** Completes a mention for responses, with the full user object, the end of the date, and a plain text. */
function completeMention(content: Record<string, unknown>, value: Record<string, unknown>): RichText {
  const type = Object.keys(content).find((key) => key !== 'type') ?? 'user';
  const given = isObject(content[type]) ? content[type] : {};
  const id = canonicalId(String(given.id ?? ''));
  const user = PERSON_USERS.find((known) => known.id === id);
  const inner = {
    user: user ?? { object: 'user', id },
    date: { start: given.start, end: given.end ?? null, time_zone: given.time_zone ?? null },
    page: { id },
    database: { id },
  };
  const words = {
    user: `@${user?.name ?? 'Anonymous'}`,
    date: given.end == null ? String(given.start) : `${given.start} → ${given.end}`,
  };
  const isObjectMention = type === 'page' || type === 'database';
  return {
    type: 'mention',
    mention: { type, [type]: Reflect.get(inner, type) ?? given },
    annotations: { ...PLAIN, ...(isObject(value.annotations) ? value.annotations : {}) },
    plain_text: String(Reflect.get(words, type) ?? value.plain_text ?? (isObjectMention ? 'Untitled' : '')),
    href: isObjectMention ? `https://www.notion.so/${id.replaceAll('-', '')}` : null,
  };
}

export const plain = (content: string): RichText[] => richText([{ text: { content } }]);

export function plainText(items: readonly RichText[]): string {
  return items.map((entry) => entry.plain_text).join('');
}
