import type { JsonSchema } from '@svc/catalog';
import { compile } from 'json-schema-to-typescript';
import { layout } from './layout.js';
import { type TypeContext, toTypeSchema } from './to-type-schema.js';

/** The exported TypeScript declarations of a schema, the first of which is called `name`. */
export async function printType(schema: JsonSchema, name: string, context: TypeContext): Promise<string> {
  const printed = await compile(toTypeSchema(schema, context, name), name, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unknownAny: true,
    format: false,
  });
  const text = printed
    .replaceAll(/\/\*\*\n\s+\* (.*)\n\s+\*\//g, '/** $1 */')
    .replaceAll('[k: string]', '[key: string]');
  return `${layout(text.trim())}\n`;
}
