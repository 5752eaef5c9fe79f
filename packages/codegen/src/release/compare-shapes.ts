import type { Catalog, Connector } from '@svc/catalog';
import { nameShapes, type PlannedShape, planShapes } from '../shapes.js';
import { type Change, change } from './change.js';
import { jsonHash } from './json-hash.js';
import type { ReleasedConnector } from './release-file.js';
import { shapesBelow } from './schema-shape.js';

/** Returns the TypeScript types that the released connector package exports for its shared schemas. */
function releasedShapes({ types, tools, triggers = {} }: ReleasedConnector): readonly PlannedShape[] {
  const entries = Object.values(tools).flatMap((tool) => tool.entries);
  return nameShapes(Object.keys(types), {
    input: shapesBelow(
      entries.map(({ input }) => input),
      types,
    ),
    output: shapesBelow([...entries.map(({ output }) => output), ...Object.values(triggers)], types),
  });
}

/** Returns a hash of the shared schemas that a connector's tools use, including their descriptions. */
export function shapesHash(catalog: Catalog, connector: Connector): string {
  return jsonHash(planShapes(catalog, connector).map(({ name, shape }) => [name, connector.types[shape]]));
}

/** Compares the exported TypeScript types of a connector's shared schemas with those of the last release, by name. */
export function compareShapes(
  catalog: Catalog,
  connector: Connector,
  released: ReleasedConnector,
): readonly Change[] {
  const present = new Map(planShapes(catalog, connector).map((planned) => [planned.name, planned]));
  return releasedShapes(released).flatMap(({ name, direction }): readonly Change[] => {
    const is = present.get(name);
    const where = `types.${name}`;
    if (is === undefined) return [change('breaking', where, 'the shape and its exported type were removed')];
    if (is.direction === direction) return [];
    const others = direction === 'input' ? 'results' : 'inputs';
    const reason = `the exported type changed from inputs to results; give ${others} a separate shape`;
    return [change('breaking', where, reason)];
  });
}
