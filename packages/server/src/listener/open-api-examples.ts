import type { Schema } from './open-api-schemas.js';

/** Examples for properties and parameters, by their names. Used if a schema has no example. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  connectionName: 'crm',
  connector: 'crm',
  identifier: 'ada',
  toolName: 'crm_list_contacts',
  accountId: 'acct_0193f2a8c4d17b3e9a5c6d7e8f901234',
  applicationId: 'app_0193f2a8c4d17b3e9a5c6d7e8f901234',
  executionId: 'exec_0193f2a8c4d17b3e9a5c6d7e8f901234',
  approvalId: 'appr_0193f2a8c4d17b3e9a5c6d7e8f901234',
  requestId: 'req_0193f2a8c4d17b3e9a5c6d7e8f901234',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  startedAt: '2026-11-20T09:00:00.000Z',
  at: '2026-11-20T09:00:00.000Z',
  expiresAt: '2026-11-20T09:30:00.000Z',
  since: '2026-11-20',
  until: '2026-11-21T09:00:00Z',
  from: '2026-11-20',
  to: '2026-11-21',
  baseUrl: 'https://api.example.com',
  schemaVersion: '1',
  toolVersion: '1.0.0',
  pageSize: 50,
  pageToken: 'WyIxNzYzNjI5MjAwMDAwIl0',
  nextPageToken: 'WyIxNzYzNjI5MjAwMDAwIl0',
};

const BY_TYPE: Readonly<Record<string, unknown>> = { boolean: false, integer: 1, number: 1, null: null };

const first = (values: unknown): unknown => (Array.isArray(values) ? values[0] : undefined);

/** Adds an example for each required property of an object schema to the properties that are `given`. */
export function completeExample(
  { properties = {}, required = [] }: Schema,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const missing = required.filter((name) => !Object.hasOwn(given, name));
  const composed = missing.map((name) => [name, exampleOf(properties[name] ?? {}, name)]);
  return { ...Object.fromEntries(composed), ...given };
}

/**
 * Returns an example that matches a schema: its own, or one composed of the examples of its required properties. Throws
 * if a text has no example.
 */
export function exampleOf(schema: Schema, name = ''): unknown {
  const { examples, enum: values, const: constant, type, anyOf, items } = schema;
  const known = first(examples) ?? constant ?? first(values) ?? BY_NAME[name] ?? schema.default;
  if (known !== undefined) return known;
  if (anyOf !== undefined) return exampleOf(anyOf[0] ?? {}, name);
  if (type === 'object') return completeExample(schema);
  if (type === 'array') return [exampleOf(items ?? {}, name)];
  const byType = BY_TYPE[typeof type === 'string' ? type : 'null'];
  if (byType !== undefined) return byType;
  throw new Error(`The schema of "${name}" has no example. Add \`examples\` to it.`);
}
