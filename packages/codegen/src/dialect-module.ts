import { type Catalog, type Connector, selectVersion, type Tool } from '@svc/catalog';
import { type Dialect, LIMITS, toDialect } from '@svc/catalog/dialects';
import { createSharedShapes, ONE_LINE, type SharedShapes } from './shared-shapes.js';
import { docComment, quoted, sourceText } from './source-text.js';
import { propertyName, typescriptLiteral } from './typescript-literal.js';

/** The dialects that a connector package has an entry for; one of recipes alone has none. */
export const dialectsOf = ({ tools }: Connector): readonly Dialect[] => (tools.length === 0 ? [] : DIALECTS);

const DIALECTS: readonly Dialect[] = ['openai-strict', 'anthropic-strict', 'gemini'];

/** The source of `schemas/<dialect>.ts`: the tools as one model vendor takes them. */
export function dialectModule(catalog: Catalog, connector: Connector, dialect: Dialect): string {
  const shapes = createSharedShapes();
  const entries = connector.tools.map((tool) => {
    const entry = dialectEntry(catalog, tool, { dialect, shapes });
    return `  ${propertyName(tool.name)}: ${typescriptLiteral(entry, ONE_LINE)},`;
  });
  const names = connector.tools.map(({ name }) => quoted(name)).join(' | ');
  return sourceText(
    toolSchema(dialect),
    shapes.inLines(),
    [
      docComment(`The tools of ${connector.title} by name, as ${dialect} takes them.`),
      `export const schemas: Readonly<Record<${names}, ToolSchema>> = {`,
      ...entries,
      '};',
    ].join('\n'),
  );
}

interface DialectOptions {
  readonly dialect: Dialect;
  readonly shapes: SharedShapes;
}

function dialectEntry(catalog: Catalog, tool: Tool, { dialect, shapes }: DialectOptions): object {
  const { name, title, description, hints } = tool;
  const version = selectVersion(tool);
  const plain = catalog.plainInputSchemaOf(tool, version);
  const { inputSchema, unsaid, cost } = toDialect(plain, dialect);
  const budget = LIMITS[dialect].perRequest === undefined ? {} : { cost };
  return {
    name,
    title,
    description,
    hints,
    schemaVersion: version.schema_version,
    dialect,
    inputSchema: shapes.keep(inputSchema),
    unsaid,
    ...budget,
  };
}

function toolSchema(dialect: Dialect): string {
  const { dated, perRequest } = LIMITS[dialect];
  const budget =
    perRequest === undefined
      ? ''
      : `
  /** What it takes of the budget that the strict tools of one request share. */
  readonly cost: { readonly tools: number; readonly optional: number; readonly unions: number };`;
  return `/** A tool as a model of this vendor sees it; by its limits of ${dated}. */
export interface ToolSchema {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What calling it does to the upstream. */
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly longRunning: boolean;
  };
  /** The contract that it was made from. */
  readonly schemaVersion: string;
  readonly dialect: ${quoted(dialect)};
  /** JSON Schema of the arguments; \`@svc/agents\` makes the tool's own input of them. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Rules that a model is told but not held to; the service checks them. */
  readonly unsaid: readonly string[];${budget}
}`;
}
