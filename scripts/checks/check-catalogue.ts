import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type JsonSchema, keyGroupsOf, loadCatalog, type Tool } from '../../packages/catalog/dist/index.js';
import { parseSpecification, type SpecifiedInput, type SpecifiedTool } from './specification.ts';

const specified = parseSpecification(
  readFileSync(path.join(import.meta.dirname, 'specification.txt'), 'utf8'),
);
const catalog = loadCatalog();

const sorted = (texts: readonly string[]) => [...texts].sort().join(', ');

/** Resolves a `$ref` of an input schema to the schema's own `$defs`. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const definition = name === undefined ? undefined : root.$defs?.[name];
  return definition === undefined ? schema : resolve(definition, root);
}

/** Returns the types that an input schema accepts, by their names in the product's specification. */
function typesOf(given: JsonSchema, root: JsonSchema): string[] {
  const schema = resolve(given, root);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return [...new Set(branches.flatMap((branch) => typesOf(branch, root)))];
  const types = [schema.type ?? []].flat();
  return types.flatMap((type) => {
    if (type !== 'array') return type;
    const items = schema.items;
    return typeof items === 'object' ? typesOf(items, root).map((item) => `${item}[]`) : 'array';
  });
}

function compareInput(
  input: SpecifiedInput,
  ownDefault: string | undefined,
  given: JsonSchema,
  root: JsonSchema,
): string[] {
  const schema = resolve(given, root);
  const actual = {
    types: sorted(typesOf(given, root)),
    lowest: schema.minimum ?? schema.minLength ?? schema.minItems,
    highest: schema.maximum ?? schema.maxLength ?? schema.maxItems,
    values: schema.enum === undefined ? undefined : sorted(schema.enum.map(String)),
    default: schema.default === undefined ? undefined : String(schema.default),
  };
  // Accepts the catalogue's bound, list of values or default if the product's specification omits it. The catalogue
  // takes it from the upstream's documentation.
  const wanted = {
    types: sorted(input.types),
    lowest: input.lowest ?? actual.lowest,
    highest: input.highest ?? actual.highest,
    values: input.values === undefined ? actual.values : sorted(input.values),
    default: input.default ?? ownDefault,
  };
  return (Object.keys(wanted) as (keyof typeof wanted)[]).flatMap((aspect) =>
    wanted[aspect] === actual[aspect]
      ? []
      : [
          `${input.name}: ${aspect} is ${actual[aspect]}, but the specification says ${wanted[aspect]}; correct one`,
        ],
  );
}

function compareTool(wanted: SpecifiedTool, tool: Tool): string[] {
  const version = catalog.selectVersion(tool);
  const root = catalog.plainInputSchemaOf(tool, version);
  const properties = root.properties ?? {};
  const facts: [what: string, actual: unknown, wanted: unknown][] = [
    ['version inputs', tool.versionInputs === true, wanted.versionInputs],
    ['inputs', sorted(Object.keys(properties)), sorted(wanted.inputs.map(({ name }) => name))],
    [
      'required',
      sorted(root.required ?? []),
      sorted(wanted.inputs.filter(({ required }) => required).map(({ name }) => name)),
    ],
  ];
  const groups = keyGroupsOf(root.exactlyOneOf).map(sorted);
  if (wanted.oneOf) facts.push(['exactly one of', groups.includes(sorted(wanted.oneOf)), true]);
  const differing = facts.filter(([, actual, expected]) => actual !== expected);
  return [
    ...differing.map(
      ([what, actual, expected]) =>
        `${what} is ${actual}, but the specification says ${expected}; correct one`,
    ),
    ...wanted.inputs.flatMap((input) => {
      const schema = properties[input.name];
      return schema === undefined ? [] : compareInput(input, wanted.ownDefaults[input.name], schema, root);
    }),
  ];
}

const problems = specified.flatMap((wanted) => {
  const tool = catalog.tools.get(wanted.name);
  const differences =
    tool === undefined ? ['the tool is not in the catalogue; add it to schemas/'] : compareTool(wanted, tool);
  return differences.map((problem) => `${wanted.name}: ${problem}`);
});
// Excludes connectors that the product's specification does not mention, because they may have any tools.
const connectors = new Set(specified.map(({ name }) => name.split('_')[0]));
const names = new Set(specified.map(({ name }) => name));
const misplaced = [...catalog.tools.values()].filter(
  ({ name, connector, additional }) => connectors.has(connector) && names.has(name) === additional,
);
problems.push(
  ...misplaced.map(({ name, additional }) =>
    additional
      ? `${name}: the tool is in the specification; remove "additional" from its file`
      : `${name}: the tool is not in the specification; set "additional": true, or add it to scripts/checks/specification.txt`,
  ),
);

const rows = [...catalog.connectors.values()].map(({ id, tools }) => ({
  connector: id,
  tools: tools.length,
  examples: tools.reduce((sum, { examples }) => sum + examples.length, 0),
}));
console.table(Object.fromEntries(rows.map(({ connector, ...counts }) => [connector, counts])));
console.log(
  `${specified.filter(({ name }) => catalog.tools.has(name)).length} of ${specified.length} specified tools`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
