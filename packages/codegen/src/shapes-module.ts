import type { Connector } from '@svc/catalog';
import { type PlannedShape, shapeNames } from './plan-shapes.js';
import { printType } from './print-type.js';
import { sourceText } from './source-text.js';

/** The source of `shapes.ts`: the types that tools share. */
export async function shapesModule(connector: Connector, shapes: readonly PlannedShape[]): Promise<string> {
  const nameOf = shapeNames(shapes);
  const printed = await Promise.all(
    shapes.map(({ shape, name, direction }) =>
      printType({ ...connector.types[shape] }, name, {
        direction,
        shapeName: (other) => nameOf(direction, other),
      }),
    ),
  );
  return sourceText(...printed);
}
