import type { FindPrecompiled } from '../built-in.js';
import type { Catalog } from '../catalog.js';
import type { Connector } from '../connector.js';
import { InvalidInputError } from '../errors.js';
import { type Ajvs, createLinkShapes } from '../input/create-ajvs.js';
import { createValidator } from '../input/create-validator.js';
import { describeInput } from '../input/input-schema.js';
import { type InterpretOptions, interpret } from '../input/interpret.js';
import { isUnderstood } from '../input/is-understood.js';
import { ruledInput } from '../input/ruled-input.js';
import { cloneJson, isJsonObject, type JsonSchema } from '../json-schema.js';
import { selectVersion, splitVersions } from '../select-version.js';
import type { Tool, ToolVersion } from '../tool.js';
import { bundle } from './references.js';

/** Functions that compile the schemas of tools to validators, and schemas that are already compiled. */
export interface Compiling {
  readonly ajvs: Ajvs;
  /**
   * Options of `interpret`, which validates a value without compiling its schema. Set only for checking examples,
   * because compiling takes longer than a few validations.
   */
  readonly interpreting?: Omit<InterpretOptions, 'subject'>;
  readonly findPrecompiled: FindPrecompiled;
  /**
   * Tool schemas whose references are already resolved, from another catalogue of the same connectors. Absent: this
   * catalogue resolves the references itself.
   */
  readonly schemas?: Schemas;
}

type Schemas = Pick<Catalog, 'plainInputSchemaOf' | 'inputSchemaOf' | 'outputSchemaOf'>;

/**
 * Creates a catalogue of validated connectors. Schemas are compiled at their first use, unless the build compiled
 * them.
 */
export function createCatalog(connectors: readonly Connector[], compiling: Compiling): Catalog {
  const byId = new Map(sortedBy(connectors, ({ id }) => id).map((connector) => [connector.id, connector]));
  const allTools = [...byId.values()].flatMap((connector) => connector.tools);
  const schemas = compiling.schemas ?? createSchemas(byId);
  const validators = createValidators(byId, schemas, compiling);

  const payloadSchemaOf: Catalog['payloadSchemaOf'] = (connectorId, trigger) => {
    const connector = byId.get(connectorId);
    const payload = connector?.webhooks?.triggers[trigger]?.payload;
    if (connector === undefined || payload === undefined)
      throw new Error(
        `The connector "${connectorId}" has no trigger "${trigger}". Correct the name of the trigger.`,
      );
    return bundle(payload, { document: connector, types: connector.types });
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
    payloadSchemaOf,
    payloadProblems: (connectorId, trigger, data) => {
      const schema = payloadSchemaOf(connectorId, trigger);
      return createValidator(compiling.ajvs, schema, { subject: 'the payload' })(cloneJson(data));
    },
    plainInputSchemaOf: schemas.plainInputSchemaOf,
    inputSchemaOf: schemas.inputSchemaOf,
    outputSchemaOf: schemas.outputSchemaOf,
  };
}

/** Creates the input and output validators of tools, each at its first use. */
function createValidators(
  byId: ReadonlyMap<string, Connector>,
  schemas: Schemas,
  { ajvs, findPrecompiled, interpreting }: Compiling,
) {
  const linkShapes = createLinkShapes(byId, ajvs);
  return {
    input: oncePerVersion((tool, version) => {
      const schema = schemas.plainInputSchemaOf(tool, version);
      if (interpreting && isUnderstood(schema))
        return ruledInput(schema, (plain) => interpret(plain, { subject: 'the input', ...interpreting }));
      const precompiled = findPrecompiled(tool, version);
      // Precompiled validators find union branches by their JSON text, so the references in the schema must stay
      // unchanged.
      const linked = precompiled === undefined ? linkShapes(schema, tool.connector) : schema;
      return ruledInput(linked, (plain) =>
        createValidator(ajvs, plain, { subject: 'the input', precompiled }),
      );
    }),
    output: oncePerVersion((tool, version) => {
      const schema = schemas.outputSchemaOf(tool, version);
      if (interpreting && typeof schema !== 'boolean' && isUnderstood(schema))
        return interpret(schema, { subject: 'the data', ...interpreting });
      const linked = typeof schema === 'boolean' ? schema : linkShapes(schema, tool.connector);
      return createValidator(ajvs, linked, { subject: 'the data' });
    }),
  };
}

/** Creates functions that return a tool's schemas without references to other files. Each result is cached. */
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

/** Sorts by UTF-16 code units instead of the locale, so that the order is equal on every machine. */
function sortedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
