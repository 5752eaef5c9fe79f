import { FORMAT_EXAMPLES, type JsonSchema, ruleSentences } from '@svc/catalog/rules';

/**
 * Returns the doc comment for the field of a schema: its title, description, default and limits. Undefined if the
 * schema has none.
 */
export function docText(schema: JsonSchema): string | undefined {
  const sentences = [
    schema.title,
    schema.description,
    rangeText(schema['minimum'], schema['maximum'], ''),
    rangeText(schema['minLength'], schema['maxLength'], 'character'),
    rangeText(schema['minItems'], schema['maxItems'], 'item'),
    formatText(schema),
    schema.writeOnly === true
      ? 'The value is a secret: the service never returns, logs or stores the value.'
      : undefined,
    defaultText(schema),
    ...ruleSentences(schema),
  ];
  const text = sentences
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => (/[.!?:)…]$/.test(sentence ?? '') ? sentence : `${sentence}.`))
    .join(' ');
  return text === '' ? undefined : text;
}

function formatText({ format }: JsonSchema): string | undefined {
  const example = format === undefined ? undefined : FORMAT_EXAMPLES[format];
  return example === undefined ? undefined : `Format: ${example}.`;
}

function defaultText({ default: value }: JsonSchema): string | undefined {
  return value === undefined ? undefined : `Default: ${JSON.stringify(value)}.`;
}

function rangeText(least: unknown, most: unknown, noun: string): string | undefined {
  const unit = (bound: number) => (noun === '' ? String(bound) : `${bound} ${noun}${bound === 1 ? '' : 's'}`);
  const hasLeast = typeof least === 'number' && (noun === '' || least > 1);
  const hasMost = typeof most === 'number';
  if (hasLeast && hasMost) return `Range: ${least} to ${unit(most)}.`;
  if (hasMost) return `Maximum: ${unit(most)}.`;
  return hasLeast ? `Minimum: ${unit(least)}.` : undefined;
}
