import { agentTexts, type Catalog, type Connector, selectVersion, type Tool } from '@svc/catalog';
import { type Dialect, LIMITS, toDialect, wireInput, wireOutput } from '@svc/catalog/dialects';
import { createSharedShapes, ONE_LINE, type SharedShapes } from './shared-shapes.js';
import { docComment, quoted, sourceText } from './source-text.js';
import { propertyName, typescriptLiteral } from './typescript-literal.js';

const DIALECTS: readonly Dialect[] = ['openai-strict', 'anthropic-strict', 'gemini'];

/**
 * Returns the model vendors' variants of JSON Schema for which a connector package exports schemas. Empty for a connector
 * without tools.
 */
export const dialectsOf = ({ tools }: Connector): readonly Dialect[] => (tools.length === 0 ? [] : DIALECTS);

/**
 * Returns the source of `schemas.ts`: the input and output schemas of all tools for models. Shared schemas are written
 * once.
 */
export function schemasModule(catalog: Catalog, connector: Connector): string {
  const { share, sorted } = createSharedShapes();
  const table = schemasTable(
    connector,
    'in the tool versions from which this package was generated',
    (tool) => {
      const version = selectVersion(tool);
      const inputSchema = share(wireInput(catalog.plainInputSchemaOf(tool, version)));
      const outputSchema = share(wireOutput(catalog.outputSchemaOf(tool, version)));
      const schemaVersion = version.schema_version;
      return typescriptLiteral(
        { ...wordsOf(tool, connector), schemaVersion, inputSchema, outputSchema },
        { indent: '  ' },
      );
    },
  );
  const shapes = sorted();
  return sourceText(
    TOOL_SCHEMA,
    shapes.length === 0 ? '' : `const shapes = ${typescriptLiteral(Object.fromEntries(shapes))};`,
    table,
  );
}

/** Returns the source of `schemas/<dialect>.ts`: the tools in the variant of JSON Schema of one model vendor. */
export function dialectModule(catalog: Catalog, connector: Connector, dialect: Dialect): string {
  const shapes = createSharedShapes();
  const table = schemasTable(connector, `in the schema dialect ${dialect}`, (tool) =>
    typescriptLiteral(dialectEntry(catalog, tool, { connector, dialect, shapes }), ONE_LINE),
  );
  return sourceText(dialectToolSchema(dialect), shapes.inLines(), table);
}

function schemasTable({ title, tools }: Connector, which: string, entry: (tool: Tool) => string): string {
  const names = tools.map(({ name }) => quoted(name)).join(' | ') || 'never';
  return [
    docComment(`Descriptions of the ${title} tools by tool name, ${which}.`),
    `export const schemas: Readonly<Record<${names}, ToolSchema>> = {`,
    ...tools.map((tool) => `  ${propertyName(tool.name)}: ${entry(tool)},`),
    '};',
  ].join('\n');
}

const wordsOf = (tool: Tool, connector: Connector) => ({
  name: tool.name,
  ...agentTexts(tool, connector),
  hints: tool.hints,
});

function dialectEntry(
  catalog: Catalog,
  tool: Tool,
  {
    connector,
    dialect,
    shapes,
  }: { readonly connector: Connector; readonly dialect: Dialect; readonly shapes: SharedShapes },
): object {
  const version = selectVersion(tool);
  const { inputSchema, unsaid, cost } = toDialect(catalog.plainInputSchemaOf(tool, version), dialect);
  return {
    ...wordsOf(tool, connector),
    schemaVersion: version.schema_version,
    dialect,
    inputSchema: shapes.share(inputSchema),
    unsaid,
    ...(LIMITS[dialect].perRequest !== undefined && { cost }),
  };
}

/** Source text of the `ToolSchema` fields that the generated interfaces for all model vendors have in common. */
const TOOL_FIELDS = `export interface ToolSchema {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Effect of a call on the upstream. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly longRunning: boolean;
  };
  /** Version of the tool's input and output from which this schema was generated. */
  readonly schemaVersion: string;`;

const TOOL_SCHEMA = `/** Description of a tool for a model. */
${TOOL_FIELDS}
  /** JSON Schema (2020-12) of the input, with standard keywords only. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema (2020-12) of the result data. */
  readonly outputSchema: Readonly<Record<string, unknown>>;
}`;

function dialectToolSchema(dialect: Dialect): string {
  const { dated, perRequest } = LIMITS[dialect];
  const budget = `
  /** Amounts that this tool adds to a model request in strict mode. The model vendor limits each total. */
  readonly cost: { readonly tools: number; readonly optional: number; readonly unions: number };`;
  return `/** Description of a tool for a model of this vendor, within the vendor's limits of ${dated}. */
${TOOL_FIELDS}
  readonly dialect: ${quoted(dialect)};
  /** JSON Schema of the arguments that a model sends. \`@svc/agents\` converts these arguments to the input of the tool. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Keywords that the dialect cannot express. The descriptions mention the rules of these keywords, and the service checks the rules. */
  readonly unsaid: readonly string[];${perRequest === undefined ? '' : budget}
}`;
}
