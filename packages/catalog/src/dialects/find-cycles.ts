import { childSchemas } from '../child-schemas.js';
import type { JsonSchema } from '../json-schema.js';

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Returns a test for recursive schemas: true if the definition `to` refers back to the definition `from`, directly or
 * through other definitions. `from` refers to `to`.
 */
export function findCycles(definitions: Definitions) {
  const reached = new Map(Object.keys(definitions).map((name) => [name, reachedFrom(name, definitions)]));
  return (from: string | undefined, to: string): boolean =>
    from !== undefined && (from === to || (reached.get(to)?.has(from) ?? false));
}

function reachedFrom(start: string, definitions: Definitions): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (schema: JsonSchema): void => {
    const name = schema.$ref?.replace('#/$defs/', '');
    const target = name === undefined ? undefined : definitions[name];
    if (name !== undefined && target !== undefined && !reached.has(name)) {
      reached.add(name);
      visit(target);
    }
    for (const { schema: child } of childSchemas(schema)) visit(child);
  };
  visit(definitions[start] ?? {});
  return reached;
}
