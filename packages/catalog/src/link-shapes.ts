import type { Ajv2020 } from 'ajv/dist/2020.js';
import { mapChildSchemas } from './child-schemas.js';
import type { Connector } from './connector.js';
import type { Ajvs } from './create-ajvs.js';
import type { JsonSchema } from './json-schema.js';

const LOCAL = '#/$defs/';

/**
 * Makes shapes that the tools of a connector share known to ajv, so that it compiles each once and not once for every schema
 * that refers to it. Gives schemas whose references lead there.
 */
export function createLinkShapes(connectors: ReadonlyMap<string, Connector>, ajvs: Ajvs) {
  const known = new Set<string>();
  return (schema: JsonSchema, connectorId: string): JsonSchema => {
    if (schema.$defs === undefined) return schema;
    if (!known.has(connectorId)) {
      known.add(connectorId);
      const types = connectors.get(connectorId)?.types ?? {};
      for (const ajv of [ajvs.first, ajvs.all]) addShapes(ajv, types, connectorId);
    }
    const { $defs: _, ...rest } = schema;
    return link(rest, connectorId);
  };
}

function addShapes(ajv: Ajv2020, types: Connector['types'], connectorId: string): void {
  for (const [name, shape] of Object.entries(types))
    ajv.addSchema({ ...link(shape, connectorId), $id: idOf(connectorId, name) });
}

const idOf = (connectorId: string, name: string): string => `shapes:${connectorId}:${name}`;

function link(schema: JsonSchema, connectorId: string): JsonSchema {
  const linked = mapChildSchemas(schema, (child) => link(child, connectorId));
  const { $ref } = linked;
  return $ref?.startsWith(LOCAL) ? { ...linked, $ref: idOf(connectorId, $ref.slice(LOCAL.length)) } : linked;
}
