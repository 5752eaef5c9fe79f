import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@svc/catalog';

type Verdict = 'breaking' | 'additive' | 'internal' | 'none';

/** Change of a schema, with the expected verdict for an input and for an output. */
export type SchemaMutation = readonly [
  title: string,
  before: JsonSchema | boolean,
  after: JsonSchema | boolean,
  input: Verdict,
  output: Verdict,
];

/** Schema changes, one for each line of `schema-mutations.jsonl`. */
export const schemaMutations: readonly SchemaMutation[] = readFileSync(
  join(import.meta.dirname, 'schema-mutations.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SchemaMutation);
