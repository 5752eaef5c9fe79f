import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@svc/catalog';

type Verdict = 'breaking' | 'additive' | 'internal' | 'none';

/** A change of a schema, and what it means where the schema is an input and where it is an output. */
export type SchemaMutation = readonly [
  title: string,
  before: JsonSchema | boolean,
  after: JsonSchema | boolean,
  input: Verdict,
  output: Verdict,
];

/** The lines of `schema-mutations.jsonl`. */
export const schemaMutations: readonly SchemaMutation[] = readFileSync(
  join(import.meta.dirname, 'schema-mutations.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SchemaMutation);
