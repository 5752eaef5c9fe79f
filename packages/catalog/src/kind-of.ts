/** The JSON kind of a value: string, number, boolean, array, object or null. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
