import { isObject } from '../../json.js';
import { anything, boolean, list, nullable, object, oneOf, type Shape, tagged, text } from './shape.js';

/** One stored item of rich text, as it is answered. */
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

const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default',
};

const annotations = object({
  bold: boolean,
  italic: boolean,
  strikethrough: boolean,
  underline: boolean,
  code: boolean,
  color: oneOf(...TEXT_COLORS),
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
    mention: anything,
    equation: object({ expression: text({ max: 1000 }) }, ['expression']),
  },
  { annotations, plain_text: anything, href: anything },
);

export const richTextShape: Shape = list(item, { max: 100 });

/** Fills in what a request leaves out. The value has passed `richTextShape`. */
export function richText(value: unknown): RichText[] {
  return Array.isArray(value) ? value.filter(isObject).map(completeItem) : [];
}

function completeItem(value: Record<string, unknown>): RichText {
  const type = ['text', 'mention', 'equation'].find((key) => value[key] !== undefined) ?? 'text';
  const content = isObject(value[type]) ? value[type] : {};
  const link =
    isObject(content.link) && typeof content.link.url === 'string' ? { url: content.link.url } : null;
  return {
    type,
    [type]: type === 'text' ? { content: content.content, link } : content,
    annotations: { ...PLAIN, ...(isObject(value.annotations) ? value.annotations : {}) },
    plain_text: String(content.content ?? content.expression ?? value.plain_text ?? ''),
    href: link?.url ?? null,
  };
}

/** Rich text from a plain string, for seeded data. */
export const plain = (content: string): RichText[] => richText([{ text: { content } }]);

export function plainText(items: readonly RichText[]): string {
  return items.map((entry) => entry.plain_text).join('');
}
