import type { Connector, JsonSchema } from '@svc/catalog';
import { isNullableIn, type PlannedShape, shapeNames } from './plan-shapes.js';
import { printType } from './print-type.js';
import { sourceText } from './source-text.js';

/** The source of `shapes.ts`: the types that tools share. */
export function shapesModule(connector: Connector, shapes: readonly PlannedShape[]): string {
  const nameOf = shapeNames(shapes);
  const printed = shapes.map(({ shape, name, direction }) =>
    printType(withoutNull(connector.types[shape] ?? {}), name, {
      direction,
      isNullable: isNullableIn(connector),
      shapeName: (other) => nameOf(direction, other),
    }),
  );
  return sourceText(...printed);
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  return types.length === 0
    ? schema
    : { ...schema, type: types.length === 1 ? String(types[0]) : types.map(String) };
}
