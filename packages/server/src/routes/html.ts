/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escapeText = (text: string) => text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');

/** A template whose values are escaped, but for those that are HTML. Attribute values must stand in quotes. */
export const html = (strings: TemplateStringsArray, ...values: readonly (string | Html)[]): Html => ({
  html: String.raw(
    { raw: strings },
    ...values.map((value) => (typeof value === 'string' ? escapeText(value) : value.html)),
  ),
});
