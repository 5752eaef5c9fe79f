import { type Catalog, type Connector, selectVersion } from '@svc/catalog';
import { wireInput, wireOutput } from '@svc/catalog/dialects';
import { createSharedShapes } from './shared-shapes.js';
import { docComment, sourceText } from './source-text.js';
import { propertyName, typescriptLiteral } from './typescript-literal.js';

/** The source of `schemas.ts`: what a model needs to know of each tool. Shapes that tools share are written once. */
export function schemasModule(catalog: Catalog, connector: Connector): string {
  const { keep, sorted } = createSharedShapes();
  const entries = connector.tools.map((tool) => {
    const { name, title, description, hints } = tool;
    const version = selectVersion(tool);
    const inputSchema = keep(wireInput(catalog.plainInputSchemaOf(tool, version)));
    const outputSchema = keep(wireOutput(catalog.outputSchemaOf(tool, version)));
    const literal = typescriptLiteral(
      { name, title, description, hints, schemaVersion: version.schema_version, inputSchema, outputSchema },
      { indent: '  ' },
    );
    return `  ${propertyName(name)}: ${literal},`;
  });

  const shapes = sorted();
  return sourceText(
    TOOL_SCHEMA,
    shapes.length === 0 ? '' : `const shapes = ${typescriptLiteral(Object.fromEntries(shapes))};`,
    [
      docComment(`The tools of ${connector.title} by name, in the versions that this package was made from.`),
      `export const schemas: Readonly<Record<${connector.tools.map(({ name }) => `'${name}'`).join(' | ') || 'never'}, ToolSchema>> = {`,
      ...entries,
      '};',
    ].join('\n'),
  );
}

const TOOL_SCHEMA = `/** A tool as a model sees it. */
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
  /** JSON Schema (2020-12) of the input, in the standard's keywords alone. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema (2020-12) of the data that comes back. */
  readonly outputSchema: Readonly<Record<string, unknown>>;
}`;
