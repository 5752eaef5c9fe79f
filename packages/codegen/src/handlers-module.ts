import { type Catalog, type Connector, type JsonSchema, selectVersion, type Tool } from '@svc/catalog';
import { pascalCase } from './names.js';
import { printType } from './print-type.js';
import { docComment, sourceText } from './source-text.js';

/**
 * Returns the source of the service's `handlers.ts`: the input types of all tools that a handler in the service
 * implements.
 */
export function handlersModule(catalog: Catalog): string {
  const connectors = [...catalog.connectors.values()];
  const printed = connectors.map((connector) => connectorTypes(catalog, connector));
  const lines = connectors
    .flatMap(({ tools }) => tools)
    .flatMap((tool) => {
      const inputs = handledVersions(tool).map((schemaVersion) => inputName(tool, schemaVersion));
      if (inputs.length === 0) return [];
      return [docComment(`${tool.title}.`, '  '), `  ${tool.name}: Handler<${inputs.join(' | ')}>;`];
    });
  return sourceText(
    "import type { Handler } from '../tools/handler.js';",
    [
      '/** Handlers of the tools that the service implements in code, by tool name. The inputs are validated and contain the defaults. */',
      'export interface Handlers {',
      ...lines,
      '}',
    ].join('\n'),
    ...printed.flat(),
  );
}

/** Returns the schema versions of a tool that a handler in the service implements, without duplicates. */
function handledVersions(tool: Tool): readonly string[] {
  const handled = tool.versions.filter(({ handler }) => handler);
  return [...new Set(handled.map((version) => version.schema_version))];
}

function inputName(tool: Tool, schemaVersion: string): string {
  const suffix = handledVersions(tool).length === 1 ? '' : `V${schemaVersion.replaceAll('.', '_')}`;
  return `${pascalCase(tool.name)}Input${suffix}`;
}

/**
 * Returns the input types of a connector's tools that the service's handlers implement, and the shared types in them.
 * Shared types have the connector's name as a prefix, because all connectors are in one file.
 */
function connectorTypes(catalog: Catalog, connector: Connector): readonly string[] {
  const shapes = new Map<string, JsonSchema>();
  const shapeName = (shape: string) => pascalCase(connector.id) + shape;
  const context = { direction: 'input', shapeName, areDefaultsFilled: true } as const;
  const inputs = connector.tools.flatMap((tool) =>
    handledVersions(tool).map((schemaVersion) => {
      const version = selectVersion(tool, { schemaVersion });
      const { $defs = {}, ...input } = catalog.plainInputSchemaOf(tool, version);
      for (const [name, shape] of Object.entries($defs)) shapes.set(name, shape);
      return printType(input, inputName(tool, schemaVersion), context);
    }),
  );
  const sorted = [...shapes].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...inputs, ...sorted.map(([name, shape]) => printType(shape, shapeName(name), context))];
}
