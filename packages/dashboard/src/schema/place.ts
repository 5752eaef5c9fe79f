import { type ErrorObject, isJsonObject, type JsonSchema } from '@svc/catalog/rules';

/** What is wrong, as the service's own validator has it before it is put into words. */
export type Fault = ErrorObject;

/** A value and where it stands. */
export interface Place {
  readonly value: unknown;
  /** A JSON pointer. */
  readonly pointer: string;
  readonly schema: JsonSchema;
  readonly now: () => Date;
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
