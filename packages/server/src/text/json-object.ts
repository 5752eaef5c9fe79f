import { parseJson } from '@svc/catalog';
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses text as a JSON object. Returns `undefined` for invalid JSON and for any other kind of value. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
