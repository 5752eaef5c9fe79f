import { agentTexts, type Catalog, type JsonSchema, type Tool } from '@svc/catalog';
import { wireInput, wireOutput } from '@svc/catalog/dialects';
import { shortInput, shortOutput, topOf } from './short-schema.js';

/** Tool description as MCP transmits it in `tools/list`. */
export interface WireTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

export interface DescribedTool {
  readonly tool: Tool;
  /** Tool description for `tools/list`, with shortened schemas. */
  readonly short: WireTool;
  /** Tool description with the complete input and output schemas. */
  readonly whole: WireTool;
  /** True if the input schema in `short` is not shortened, so that the model does not need `describe_tool`. */
  readonly isWhole: boolean;
  /**
   * True if the tool's data is not an object. Results then have the form `{ result: data }`, because MCP requires an
   * object.
   */
  readonly isWrapped: boolean;
  /** Name of the additional input property that selects one of several accounts of the user. */
  readonly accountInput: string;
}

const SEE_WHOLE = 'describe_tool returns the whole input.';

const annotationsOf = ({ hints }: Tool) => ({
  readOnlyHint: hints.readOnly,
  ...(hints.readOnly ? {} : { destructiveHint: hints.destructive }),
  idempotentHint: hints.idempotent,
  openWorldHint: true,
});

const wrap = (schema: JsonSchema): JsonSchema => {
  const { $defs, ...result } = schema;
  return { type: 'object', properties: { result }, required: ['result'], ...($defs && { $defs }) };
};

function describe(catalog: Catalog, tool: Tool): DescribedTool {
  const version = catalog.selectVersion(tool);
  const input = wireInput(catalog.plainInputSchemaOf(tool, version));
  const output = wireOutput(catalog.outputSchemaOf(tool, version));
  const isWrapped = topOf(output).type !== 'object';
  const { name } = tool;
  const { title, description } = agentTexts(tool, catalog.connectors.get(tool.connector));
  const common = { name, title, annotations: annotationsOf(tool) };
  const { schema, isWhole } = shortInput(input);
  const shortened = shortOutput(output);
  return {
    tool,
    isWhole,
    isWrapped,
    accountInput: input.properties?.['account'] === undefined ? 'account' : 'connected_account',
    short: {
      ...common,
      description: isWhole ? description : `${description} ${SEE_WHOLE}`,
      inputSchema: schema,
      outputSchema: isWrapped ? wrap(shortened) : shortened,
    },
    whole: {
      ...common,
      description,
      inputSchema: input,
      outputSchema: isWrapped ? wrap(output) : { ...output, type: 'object' },
    },
  };
}

export function createDescribeTool(catalog: Catalog) {
  const described = new Map<string, DescribedTool>();
  /**
   * Returns the MCP description of a tool. Descriptions are cached for the life of the process, because the catalogue
   * does not change.
   */
  return function describeTool(tool: Tool): DescribedTool {
    const known = described.get(tool.name) ?? describe(catalog, tool);
    described.set(tool.name, known);
    return known;
  };
}

export type DescribeTool = ReturnType<typeof createDescribeTool>;
