import { FORMAT_EXAMPLES } from '../formats.js';
import { withSentences } from '../input/input-schema.js';
import type { JsonSchema } from '../json-schema.js';

const STANDARD = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
]);

const UUID_SHAPE = '^[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}$';

/**
 * Replaces a format that JSON Schema does not define with an equivalent pattern, or with a sentence in the
 * description.
 */
export function withStandardFormat(schema: JsonSchema): JsonSchema {
  const { format, ...rest } = formatAsPattern(schema);
  if (format === undefined) return rest;
  if (STANDARD.has(format)) return schema;
  return withSentences(rest, [`It must be ${FORMAT_EXAMPLES[format] ?? format}.`]);
}

/**
 * Replaces the keyword `format` with an equivalent `pattern`, if the catalogue defines one for it. Returns other
 * schemas unchanged.
 */
export function formatAsPattern(schema: JsonSchema): JsonSchema {
  const { format, ...rest } = schema;
  return format === 'uuid-shape' && rest['pattern'] === undefined ? { ...rest, pattern: UUID_SHAPE } : schema;
}
