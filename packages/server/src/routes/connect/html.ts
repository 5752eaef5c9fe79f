/** Text that is already HTML. The template tag `html` inserts it without escaping. */
export interface Html {
  readonly html: string;
}

type Value = string | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escapeText = (text: string) => text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');

function toHtml(value: Value): string {
  if (typeof value === 'string') return escapeText(value);
  return 'html' in value ? value.html : value.map((each) => each.html).join('');
}

/** Template tag that escapes all values except `Html` objects. Attribute values must be quoted in the template. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: strings }, ...values.map(toHtml)),
});
