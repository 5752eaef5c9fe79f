const ANNOTATION = 'x-mcp-header';
// A token of HTTP (RFC 9110).
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Every schema below, and whether it is a property that the arguments have in any case. */
function* schemasIn(node: unknown, isProperty: boolean): Generator<[Record<string, unknown>, boolean]> {
  if (!isObject(node)) return;
  yield [node, isProperty];
  for (const [keyword, value] of Object.entries(node)) {
    const isMap = keyword === 'properties' && isObject(value);
    const children = isMap || Array.isArray(value) ? Object.values(value) : [value];
    for (const child of children) yield* schemasIn(child, isMap && isProperty);
  }
}

/**
 * Whether the headers that a tool's input is to be repeated in can be sent: each a token, of a primitive property, and
 * no two the same. By the specification a tool with others must not be called.
 */
export function hasSoundHeaders(inputSchema: Readonly<Record<string, unknown>>): boolean {
  const names = new Set<string>();
  for (const [schema, isProperty] of schemasIn(inputSchema, true)) {
    if (!(ANNOTATION in schema)) continue;
    const name = schema[ANNOTATION];
    const isSound = typeof name === 'string' && TOKEN.test(name) && PRIMITIVES.includes(schema['type']);
    if (!isSound || !isProperty || schema === inputSchema || names.has(name.toLowerCase())) return false;
    names.add(name.toLowerCase());
  }
  return true;
}
