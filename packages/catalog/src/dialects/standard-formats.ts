import { FORMAT_EXAMPLES } from '../formats.js';
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

/** A schema without a format that only the catalogue knows: said as a pattern where that is the same, else in words. */
export function withStandardFormat(schema: JsonSchema): JsonSchema {
  const { format, ...rest } = schema;
  if (format === undefined || STANDARD.has(format)) return schema;
  if (format === 'uuid-shape' && rest['pattern'] === undefined) return { ...rest, pattern: UUID_SHAPE };
  const wanted = FORMAT_EXAMPLES[format] ?? format;
  return { ...rest, description: [...described(rest), `It must be ${wanted}.`].join(' ') };
}

/** The description as the beginning of a longer one. */
export const described = ({ description }: JsonSchema): readonly string[] =>
  description === undefined ? [] : [description];
