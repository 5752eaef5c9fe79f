import type { IsFormat } from '../formats.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import type { ErrorObject } from './create-ajvs.js';

/** Broken schema rule in the format of an ajv error, before it becomes an error message. */
export type Fault = ErrorObject;

/** Value to check, with its JSON pointer and its schema. */
export interface CheckedValue {
  readonly value: unknown;
  /** JSON pointer of the value in the whole input. */
  readonly pointer: string;
  readonly schema: JsonSchema;
  /** Outermost schema. Its `$defs` contain the targets of `$ref` references. */
  readonly root: JsonSchema;
  readonly now: () => Date;
  readonly isFormat: IsFormat;
  /**
   * Validates another value, such as a property, or another schema, such as a branch of `anyOf`. Returns the broken
   * rules.
   */
  readonly check: (schema: JsonSchema, value: unknown, pointer: string) => readonly Fault[];
}

export type Check = (limit: unknown, node: CheckedValue) => readonly Fault[];
export type Params = Readonly<Record<string, unknown>>;

export const fault = (keyword: string, node: CheckedValue, params: Params = {}, message?: string): Fault => ({
  keyword,
  instancePath: node.pointer,
  schemaPath: '',
  params,
  data: node.value,
  schema: node.schema[keyword],
  parentSchema: node.schema,
  ...(message !== undefined && { message }),
});

export const step = (name: string | number): string =>
  String(name).replaceAll('~', '~0').replaceAll('/', '~1');
export const asSchema = (schema: unknown): JsonSchema | undefined =>
  isJsonObject(schema) ? schema : undefined;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
