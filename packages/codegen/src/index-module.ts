import type { Connector } from '@svc/catalog';
import { connectorTypeName, kebabCase, ownName } from './names.js';
import { exportedTypes, exportTypes, sourceText } from './source-text.js';
import type { ToolModule } from './tool-module.js';

/** The source of the package's entry, which names every export. */
export function indexModule(
  connector: Connector,
  modules: readonly ToolModule[],
  shapes: readonly string[],
): string {
  const tools = modules.map(({ description, source }) =>
    exportTypes(exportedTypes(source), `./generated/tools/${kebabCase(ownName(description.tool))}.js`),
  );
  return sourceText(
    [
      `export { type ${connectorTypeName(connector)}, ${connector.id} } from './generated/connector.js';`,
      exportTypes(shapes, './generated/shapes.js'),
      ...tools,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  );
}

/** The source of the entry for models. */
export function schemasIndexModule(): string {
  return sourceText("export { schemas, type ToolSchema } from './generated/schemas.js';");
}
