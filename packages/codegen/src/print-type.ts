import type { JsonSchema } from '@svc/catalog';
import { DEFAULT_OPTIONS } from 'json-schema-to-typescript';
import { generate } from 'json-schema-to-typescript/dist/src/generator.js';
import { optimize } from 'json-schema-to-typescript/dist/src/optimizer.js';
import { layout } from './layout.js';
import { type TypeContext, toType } from './to-type.js';
import { named } from './type-tree.js';

const OPTIONS = { ...DEFAULT_OPTIONS, bannerComment: '' };

/** The exported TypeScript declarations of a schema, the first of which is called `name`. */
export function printType(schema: JsonSchema, name: string, context: TypeContext): string {
  const printed = generate(optimize(named(toType(schema, context, name), name), OPTIONS), OPTIONS)
    .replaceAll(/\/\*\*\n\s+\* (.*)\n\s+\*\//g, '/** $1 */')
    .replaceAll('[k: string]', '[key: string]');
  return `${layout(printed.trim())}\n`;
}
