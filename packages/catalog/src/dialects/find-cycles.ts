import { childSchemas } from '../child-schemas.js';
import type { JsonSchema } from '../json-schema.js';

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Returns a test for recursive schemas. For a definition `from` that refers to `to`, it is true if `to` refers back to
 * `from`, directly or through other definitions.
 */
export function findCycles(definitions: Definitions) {
  const reachable = new Map(Object.keys(definitions).map((name) => [name, reachableFrom(name, definitions)]));
  return (from: string | undefined, to: string): boolean =>
    from !== undefined && (from === to || (reachable.get(to)?.has(from) ?? false));
}

function reachableFrom(start: string, definitions: Definitions): ReadonlySet<string> {
  const reachable = new Set<string>();
  const visit = (schema: JsonSchema): void => {
    const name = schema.$ref?.replace('#/$defs/', '');
    const target = name === undefined ? undefined : definitions[name];
    if (name !== undefined && target !== undefined && !reachable.has(name)) {
      reachable.add(name);
      visit(target);
    }
    for (const { schema: child } of childSchemas(schema)) visit(child);
  };
  visit(definitions[start] ?? {});
  return reachable;
}
