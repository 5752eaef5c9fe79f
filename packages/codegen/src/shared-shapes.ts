import type { JsonSchema } from '@svc/catalog';
import { Expression, propertyName, typescriptLiteral } from './typescript-literal.js';

/** Shapes that the schemas of a module share. */
export interface SharedShapes {
  /** The schema with its shapes as members of `shapes`, for `typescriptLiteral`. */
  readonly keep: (schema: JsonSchema) => object;
  /** Every shape that was kept, by its name and in the order of names. */
  readonly sorted: () => readonly (readonly [string, JsonSchema])[];
  /** The source of `shapes` with each of them on a line; empty when there are none. */
  readonly inLines: () => string;
}

/** Layout of literals on a line of their own, of any length. */
export const ONE_LINE = { width: Number.POSITIVE_INFINITY };

/** Collects shapes, so that each is written once. */
export function createSharedShapes(): SharedShapes {
  const shapes = new Map<string, JsonSchema>();
  const sorted = () => [...shapes].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    sorted,
    keep: (schema) => {
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
