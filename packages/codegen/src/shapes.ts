import {
  type Catalog,
  CatalogError,
  type Connector,
  isJsonObject,
  type JsonSchema,
  RESERVED_TYPES,
} from '@svc/catalog';
import { connectorTypeName } from './names.js';
import { type Direction, printType, type TypeContext } from './print-type.js';
import { sourceText } from './source-text.js';

/** Shared schema of `types.json` that becomes an exported type. */
export interface PlannedShape {
  readonly shape: string;
  readonly name: string;
  readonly direction: Direction;
}

/**
 * Returns the types for the shared schemas that a connector's tools and webhooks use. A shared schema in both inputs
 * and outputs becomes two types.
 */
export function planShapes(catalog: Catalog, connector: Connector): readonly PlannedShape[] {
  const versions = connector.tools.flatMap((tool) => tool.versions.map((version) => ({ tool, version })));
  const inputs = versions.map(({ tool, version }) => catalog.plainInputSchemaOf(tool, version));
  const outputs = versions.map(({ tool, version }) => catalog.outputSchemaOf(tool, version));
  const payloads = Object.keys(connector.webhooks?.triggers ?? {}).map((trigger) =>
    catalog.payloadSchemaOf(connector.id, trigger),
  );
  return nameShapes(Object.keys(connector.types), {
    input: namesIn(inputs),
    output: namesIn([...outputs, ...payloads]),
  });
}

function namesIn(schemas: readonly (JsonSchema | boolean)[]): ReadonlySet<string> {
  return new Set(schemas.filter(isJsonObject).flatMap(({ $defs = {} }: JsonSchema) => Object.keys($defs)));
}

/** Assigns TypeScript type names to the shared schemas of a connector, by their use in inputs and outputs. */
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

/**
 * Creates the options for converting a connector's schemas to types, with the planned names of its shared schemas.
 */
export function typeContexts(
  { types }: Connector,
  shapes: readonly PlannedShape[],
): (direction: Direction) => TypeContext {
  return (direction) => ({
    direction,
    isNullable: (shape) => [types[shape]?.type].flat().includes('null'),
    shapeName: (shape) => {
      const plannedShape = shapes.find(
        (planned) => planned.shape === shape && planned.direction === direction,
      );
      if (plannedShape === undefined)
        throw new Error(
          `The generator planned no type for the shared schema "${shape}". Report this bug of the generator.`,
        );
      return plannedShape.name;
    },
  });
}

/**
 * Throws `CatalogError` if a connector package would have two types of one name. `own` are the type names of its tools.
 */
export function refuseClashes(
  connector: Connector,
  planned: readonly PlannedShape[],
  own: readonly string[],
): void {
  const taken = new Set([...RESERVED_TYPES, connectorTypeName(connector), ...own]);
  const problems = planned.flatMap(({ name, shape }) => {
    const isFree = !taken.has(name);
    taken.add(name);
    const reason = `the package already has a type "${name}"; rename the shape`;
    return isFree ? [] : [{ path: `${connector.id}/types.json`, where: `$defs.${shape}`, reason }];
  });
  if (problems.length > 0) throw new CatalogError(problems);
}

/** Returns the source of `shapes.ts`: the TypeScript types of a connector's shared schemas. */
export function shapesModule(connector: Connector, shapes: readonly PlannedShape[]): string {
  const contextOf = typeContexts(connector, shapes);
  const printed = shapes.map(({ shape, name, direction }) =>
    printType(withoutNull(connector.types[shape] ?? {}), name, contextOf(direction)),
  );
  return sourceText(...printed);
}

/** Removes null from the types of a shared schema. References to the schema add null where it is allowed. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  return types.length === 0
    ? schema
    : { ...schema, type: types.length === 1 ? String(types[0]) : types.map(String) };
}
