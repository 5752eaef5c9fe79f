import type { JSONSchema } from 'json-schema-to-typescript';

/** What json-schema-to-typescript is given: a JSON Schema in which `tsType` stands for finished TypeScript. */
export type TypeSchema = JSONSchema;

/** A schema that becomes this TypeScript type. */
export function asType(tsType: string, description?: string | undefined): TypeSchema {
  return description === undefined ? { tsType } : { tsType, description };
}
