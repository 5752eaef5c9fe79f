import { fileURLToPath } from 'node:url';
import { childSchemas, type JsonSchema, loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';

/** Maximum fraction of output fields whose generated type is unspecific, such as `unknown`. */
const MOST = 0.02;
const SCHEMAS = fileURLToPath(new URL('../../../schemas', import.meta.url));
const catalog = loadCatalog({ builtIn: false, folders: [SCHEMAS] });

const SAYS_SOMETHING = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];

/** Checks whether a field's generated type would be `unknown`, a list of `unknown`, or an object with any fields. */
function saysNothing(schema: JsonSchema): boolean {
  if (SAYS_SOMETHING.some((keyword) => schema[keyword] !== undefined)) return false;
  if (Object.keys(schema.properties ?? {}).length > 0) return false;
  const types = [schema.type].flat().filter((type) => type !== 'null' && type !== undefined);
  if (types.length === 0) return schema.type !== 'null';
  const { items, additionalProperties } = schema;
  if (types.includes('array')) return typeof items !== 'object' || saysNothing(items);
  const isMap = typeof additionalProperties === 'object' && !saysNothing(additionalProperties);
  return types.includes('object') && !isMap && additionalProperties !== false;
}

function fieldsOf(
  schema: JsonSchema,
  path: string,
): readonly (readonly [path: string, schema: JsonSchema])[] {
  return childSchemas(schema).flatMap((child) => {
    const own = child.keyword === 'properties' ? `${path}.${child.path.at(-1)}` : path;
    const field = child.keyword === 'properties' ? [[own, child.schema] as const] : [];
    return [...field, ...fieldsOf(child.schema, own)];
  });
}

/**
 * Output fields of every connector, and the paths of those with an unspecific type (`silent`). The fields of a shared
 * schema count once.
 */
const connectors = [...catalog.connectors.values()].map(({ id, tools }) => {
  const shapes = new Map<string, JsonSchema>();
  const own = tools.flatMap((tool) =>
    tool.versions.flatMap((version) => {
      const { $defs = {}, ...output } = Object(catalog.outputSchemaOf(tool, version)) as JsonSchema;
      for (const [name, shape] of Object.entries($defs)) shapes.set(name, shape);
      return fieldsOf(output, tool.name);
    }),
  );
  const shared = [...shapes].flatMap(([name, shape]) => fieldsOf(shape, name));
  const fields = [...own, ...shared];
  return { id, fields, silent: fields.filter(([, schema]) => saysNothing(schema)).map(([path]) => path) };
});

test('the outputs have a specific type for at least 98 % of their fields', () => {
  const total = connectors.reduce((sum, { fields }) => sum + fields.length, 0);
  const silent = connectors.flatMap(({ id, silent: paths }) => paths.map((path) => `${id} ${path}`));
  process.stdout.write(`${silent.length} of ${total} output fields have no specific type\n`);
  expect(silent.length / total, silent.join('\n')).toBeLessThanOrEqual(MOST);
});
