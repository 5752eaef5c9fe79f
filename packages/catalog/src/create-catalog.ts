import type { Catalog } from './catalog.js';
import { cloneJson } from './clone-json.js';
import type { Connector } from './connector.js';
import type { Ajvs } from './create-ajvs.js';
import { createInputValidator } from './create-input-validator.js';
import { createValidator } from './create-validator.js';
import { InvalidInputError } from './errors.js';
import { describeInput } from './input-schema.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { createLinkShapes } from './link-shapes.js';
import type { FindPrecompiled } from './precompiled.js';
import { bundle } from './references.js';
import { selectVersion } from './select-version.js';
import { splitVersions } from './split-versions.js';
import type { Tool, ToolVersion } from './tool.js';

interface Compiling {
  readonly ajvs: Ajvs;
  readonly findPrecompiled: FindPrecompiled;
}

/** A catalogue of connectors that were checked. Schemas are compiled when they are first needed, unless the build did. */
export function createCatalog(
  connectors: readonly Connector[],
  { ajvs, findPrecompiled }: Compiling,
): Catalog {
  const byId = new Map(sortedBy(connectors, ({ id }) => id).map((connector) => [connector.id, connector]));
  const allTools = [...byId.values()].flatMap((connector) => connector.tools);
  const schemas = createSchemas(byId);
  const linkShapes = createLinkShapes(byId, ajvs);
  const validators = {
    input: oncePerVersion((tool, version) => {
      const schema = schemas.plainInputSchemaOf(tool, version);
      const precompiled = findPrecompiled(tool, version);
      // What the build compiled knows its branches by their texts, which hold no links.
      const linked = precompiled === undefined ? linkShapes(schema, tool.connector) : schema;
      return createInputValidator(ajvs, linked, { subject: 'the input', precompiled });
    }),
    output: oncePerVersion((tool, version) => {
      const schema = schemas.outputSchemaOf(tool, version);
      const linked = typeof schema === 'boolean' ? schema : linkShapes(schema, tool.connector);
      return createValidator(ajvs, linked, { subject: 'the data' });
    }),
  };

  const validateInput: Catalog['validateInput'] = (tool, version, given) => {
    const input = cloneJson(given);
    const errors = validators.input(tool, version)(input);
    if (errors.length > 0 || !isJsonObject(input)) throw new InvalidInputError(errors);
    return { input };
  };

  return {
    connectors: byId,
    tools: new Map(sortedBy(allTools, ({ name }) => name).map((tool) => [tool.name, tool])),
    selectVersion,
    validateInput,
    resolveCall: (tool, call) => {
      const { input, wanted } = splitVersions(tool, call);
      const version = selectVersion(tool, wanted);
      return { version, ...validateInput(tool, version, input) };
    },
    compile: (tool, version, part) => {
      validators[part](tool, version);
    },
    outputProblems: (tool, version, data) => validators.output(tool, version)(cloneJson(data)),
    ...schemas,
  };
}

/** The self-contained schemas of tools, each put together once. */
function createSchemas(connectors: ReadonlyMap<string, Connector>) {
  const selfContained = (tool: Tool, schema: JsonSchema) =>
    bundle(schema, { document: tool, types: connectors.get(tool.connector)?.types ?? {} });
  const plainInputSchemaOf = oncePerVersion((tool, { input }) => selfContained(tool, input));
  return {
    plainInputSchemaOf,
    inputSchemaOf: oncePerVersion((tool, version) => describeInput(tool, plainInputSchemaOf(tool, version))),
    outputSchemaOf: oncePerVersion((tool, { output }) =>
      typeof output === 'boolean' ? output : selfContained(tool, output),
    ),
  };
}

function oncePerVersion<Value>(make: (tool: Tool, version: ToolVersion) => Value) {
  const made = new WeakMap<ToolVersion, { readonly value: Value }>();
  return (tool: Tool, version: ToolVersion): Value => {
    const entry = made.get(version) ?? { value: make(tool, version) };
    made.set(version, entry);
    return entry.value;
  };
}

/** In the order of code points, so that the order is the same on every machine. */
function sortedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
