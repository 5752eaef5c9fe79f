import type { ErrorObject } from '../create-ajvs.js';
import type { IsFormat } from '../formats.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';

/** A broken rule, before it becomes a message. */
export type Fault = ErrorObject;

/** A value and where it stands. */
export interface Place {
  readonly value: unknown;
  /** A JSON pointer. */
  readonly pointer: string;
  readonly schema: JsonSchema;
  /** The whole schema, which holds the shapes that references lead to. */
  readonly root: JsonSchema;
  readonly now: () => Date;
  readonly isFormat: IsFormat;
  /** The faults of a part of the value, or of the value by another schema. */
  readonly check: (schema: JsonSchema, value: unknown, pointer: string) => readonly Fault[];
}

export type Check = (limit: unknown, place: Place) => readonly Fault[];
export type Params = Readonly<Record<string, unknown>>;

export const fault = (keyword: string, place: Place, params: Params = {}, message?: string): Fault => ({
  keyword,
  instancePath: place.pointer,
  schemaPath: '',
  params,
  data: place.value,
  schema: place.schema[keyword],
  parentSchema: place.schema,
  ...(message !== undefined && { message }),
});

export const step = (name: string | number): string =>
  String(name).replaceAll('~', '~0').replaceAll('/', '~1');
export const asSchema = (schema: unknown): JsonSchema | undefined =>
  isJsonObject(schema) ? schema : undefined;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
