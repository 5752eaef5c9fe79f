import { type Catalog, CatalogError, type Connector, RESERVED_TYPES } from '@svc/catalog';
import { connectorTypeName } from './names.js';

/** Whether a type is of what a caller gives or of what it gets. */
export type Direction = 'input' | 'output';

/** A shape of `types.json` that becomes a type. */
export interface PlannedShape {
  readonly shape: string;
  readonly name: string;
  readonly direction: Direction;
}

/** The shapes that a connector's tools use. One that is used in inputs and in outputs becomes two types. */
export function planShapes(catalog: Catalog, connector: Connector): readonly PlannedShape[] {
  const used = { input: new Set<string>(), output: new Set<string>() };
  for (const tool of connector.tools) {
    for (const version of tool.versions) {
      const output = catalog.outputSchemaOf(tool, version);
      addAll(used.input, catalog.plainInputSchemaOf(tool, version).$defs);
      addAll(used.output, typeof output === 'boolean' ? {} : output.$defs);
    }
  }
  return nameShapes(Object.keys(connector.types), used);
}

/** The types that shapes become which are used so. */
export function nameShapes(
  shapes: readonly string[],
  used: Readonly<Record<Direction, ReadonlySet<string>>>,
): readonly PlannedShape[] {
  return shapes.flatMap((shape): PlannedShape[] => [
    ...(used.output.has(shape) ? [{ shape, name: shape, direction: 'output' as const }] : []),
    ...(used.input.has(shape)
      ? [{ shape, name: used.output.has(shape) ? `${shape}Input` : shape, direction: 'input' as const }]
      : []),
  ]);
}

/** Whether a shape may be null. Its type is not: what refers to it says so. */
export const isNullableIn =
  ({ types }: Connector) =>
  (shape: string): boolean =>
    [types[shape]?.type].flat().includes('null');

/** Gives the type that a shape has as an input or as an output. */
export type ShapeNames = (direction: Direction, shape: string) => string;

/** The names of planned shapes. */
export function shapeNames(shapes: readonly PlannedShape[]): ShapeNames {
  return (direction, shape) => {
    const found = shapes.find((planned) => planned.shape === shape && planned.direction === direction);
    if (found === undefined) throw new Error(`the shape "${shape}" was not planned`);
    return found.name;
  };
}

function addAll(names: Set<string>, defs: object = {}): void {
  for (const name of Object.keys(defs)) names.add(name);
}

/** Throws `CatalogError` where a package would have two types of one name. `own` are those of its tools. */
export function refuseClashes(
  connector: Connector,
  planned: readonly PlannedShape[],
  own: readonly string[],
): void {
  const taken = new Set([...RESERVED_TYPES, connectorTypeName(connector), ...own]);
  const problems = planned.flatMap(({ name, shape }) => {
    const isFree = !taken.has(name);
    taken.add(name);
    const reason = `its type "${name}" has the name of another; give the shape another name`;
    return isFree ? [] : [{ path: `${connector.id}/types.json`, where: `$defs.${shape}`, reason }];
  });
  if (problems.length > 0) throw new CatalogError(problems);
}
