import type { Connector } from '@svc/catalog';
import { connectorTypeName, toolFile } from './names.js';
import { exportedTypes, exportTypes, sourceText } from './source-text.js';
import type { ToolModule } from './tool-module.js';

/** Exports of a connector package's main entry in addition to the tools. */
export interface IndexContent {
  readonly shapes: readonly string[];
  /** Names of the types of webhook payloads. */
  readonly payloads: readonly string[];
  readonly hasMethods: boolean;
  /** True if the package has hand-written recipes in `src/recipes/index.ts`. The main entry then exports them too. */
  readonly hasRecipes: boolean;
}

/**
 * Exports of `@svc/core` in each connector package, so that an application installs and imports only one package. All
 * types are exported, because the type declarations of a library can only name packages on which the library depends
 * itself.
 */
const OF_CORE = `export type * from '@svc/core';
export {
  AccountNotAuthorizedError,
  ApprovalRequiredError,
  ConnectionError,
  createClient,
  InvalidInputError,
  isServiceError,
  manage,
  narrowToken,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from '@svc/core';`;

/** Returns the source of a connector package's main entry, which names every export. */
export function indexModule(
  connector: Connector,
  modules: readonly ToolModule[],
  { shapes, payloads, hasMethods, hasRecipes }: IndexContent,
): string {
  const tools = modules.map(({ description, source }) =>
    exportTypes(exportedTypes(source), `./generated/tools/${toolFile(description.tool)}.js`),
  );
  return sourceText(
    [
      OF_CORE,
      hasMethods
        ? `export { type ${connectorTypeName(connector)}, ${connector.id} } from './generated/connector.js';`
        : '',
      exportTypes(shapes, './generated/shapes.js'),
      ...tools,
      exportTypes(payloads, './generated/webhooks.js'),
      hasRecipes ? "export * from './recipes/index.js';" : '',
    ]
      .filter((line) => line !== '')
      .join('\n'),
  );
}

/** Returns the source of the package entry `schemas`, which contains the tool schemas for models. */
export function schemasIndexModule(): string {
  return sourceText("export { schemas, type ToolSchema } from './generated/schemas.js';");
}
