/** A deep copy of JSON data; several times faster than structuredClone. */
export function cloneJson<Value>(value: Value): Value;
export function cloneJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => cloneJson(item));
  // fromEntries defines its keys, so that "__proto__" in JSON stays a plain key.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cloneJson(member)]));
}
