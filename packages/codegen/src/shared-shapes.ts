import type { JsonSchema } from '@svc/catalog';
import { Expression, propertyName, typescriptLiteral } from './typescript-literal.js';

/** Collection of the shared schemas in one generated module. */
export interface SharedShapes {
  /**
   * Returns a copy of a tool schema that `typescriptLiteral` can print. Its `$defs` refer to the generated module's
   * constant `shapes`.
   */
  readonly share: (schema: JsonSchema) => object;
  /** Returns all shared schemas that the module uses, sorted by name. */
  readonly sorted: () => readonly (readonly [string, JsonSchema])[];
  /**
   * Returns the source of the generated constant `shapes`, with one line for each shared schema. Empty if the module
   * uses none.
   */
  readonly inLines: () => string;
}

/** Layout that prints a TypeScript literal on one line of any length. */
export const ONE_LINE = { width: Number.POSITIVE_INFINITY };

/** Creates a collection that writes each shared schema of a generated module only once. */
export function createSharedShapes(): SharedShapes {
  const shapes = new Map<string, JsonSchema>();
  const sorted = () => [...shapes].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    sorted,
    share: (schema) => {
      const { $defs = {} } = schema;
      const names = Object.keys($defs);
      for (const [name, shape] of Object.entries($defs)) shapes.set(name, shape);
      if (names.length === 0) return schema;
      const members = names.map((name) => [name, new Expression(`shapes.${name}`)]);
      return { ...schema, $defs: Object.fromEntries(members) };
    },
    inLines: () => {
      const lines = sorted().map(
        ([name, shape]) => `  ${propertyName(name)}: ${typescriptLiteral(shape, ONE_LINE)},`,
      );
      return lines.length === 0 ? '' : ['const shapes = {', ...lines, '};'].join('\n');
    },
  };
}
