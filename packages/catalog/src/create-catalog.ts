import type { Catalog, ToolCall } from './catalog.js';
import { cloneJson } from './clone-json.js';
import type { Connector } from './connector.js';
import type { Ajvs } from './create-ajvs.js';
import { createValidator, type Validator } from './create-validator.js';
import { InvalidInputError } from './errors.js';
import { describeInput } from './input-schema.js';
import { isJsonObject, type JsonObject, type JsonSchema } from './json-schema.js';
import { bundle, type ReferenceScope } from './references.js';
import { selectVersion } from './select-version.js';
import { splitVersions } from './split-versions.js';
import type { Tool, ToolVersion } from './tool.js';

/** A catalogue of connectors that were checked. Schemas are compiled when they are first needed. */
export function createCatalog(connectors: readonly Connector[], ajvs: Ajvs): Catalog {
  const byId = new Map(sortedBy(connectors, ({ id }) => id).map((connector) => [connector.id, connector]));
  const allTools = [...byId.values()].flatMap((connector) => connector.tools);
  const inputValidators = new WeakMap<ToolVersion, Validator>();
  const outputValidators = new WeakMap<ToolVersion, Validator>();

  const scopeOf = (tool: Tool): ReferenceScope => ({
    document: tool,
    types: byId.get(tool.connector)?.types ?? {},
  });
  const plainInputSchemaOf = (tool: Tool, version: ToolVersion): JsonSchema =>
    bundle(version.input, scopeOf(tool));
  const outputSchemaOf = (tool: Tool, version: ToolVersion): JsonSchema | boolean =>
    typeof version.output === 'boolean' ? version.output : bundle(version.output, scopeOf(tool));

  const compiled = (
    cache: WeakMap<ToolVersion, Validator>,
    version: ToolVersion,
    schema: () => JsonSchema | boolean,
  ) => {
    const validator = cache.get(version) ?? createValidator(ajvs, schema());
    cache.set(version, validator);
    return validator;
  };
  const checkInput = (tool: Tool, version: ToolVersion, copy: unknown) =>
    compiled(inputValidators, version, () => plainInputSchemaOf(tool, version))(copy);

  const validateInput = (
    tool: Tool,
    version: ToolVersion,
    given: unknown,
  ): { readonly input: JsonObject } => {
    const input = cloneJson(given);
    const errors = checkInput(tool, version, input);
    if (errors.length > 0 || !isJsonObject(input)) throw new InvalidInputError(errors);
    return { input };
  };

  return {
    connectors: byId,
    tools: new Map(sortedBy(allTools, ({ name }) => name).map((tool) => [tool.name, tool])),
    selectVersion,
    validateInput,
    resolveCall: (tool: Tool, call: ToolCall) => {
      const { input, wanted } = splitVersions(tool, call);
      const version = selectVersion(tool, wanted);
      return { version, ...validateInput(tool, version, input) };
    },
    inputProblems: (tool, version, input) => checkInput(tool, version, cloneJson(input)),
    outputProblems: (tool, version, data) =>
      compiled(outputValidators, version, () => outputSchemaOf(tool, version))(cloneJson(data)),
    inputSchemaOf: (tool, version) => describeInput(tool, plainInputSchemaOf(tool, version)),
    outputSchemaOf,
    plainInputSchemaOf,
  };
}

/** In the order of code points, so that the order is the same on every machine. */
function sortedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
