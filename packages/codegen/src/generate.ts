import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Catalog, type Connector, isJsonObject } from '@svc/catalog';
import { connectorModule } from './connector-module.js';
import { describeTool } from './describe-tool.js';
import { findAbove } from './folders.js';
import { handlersModule } from './handlers-module.js';
import { indexModule, schemasIndexModule } from './index-module.js';
import { toolFile } from './names.js';
import { configFiles, packageJson, type Surroundings } from './package-files.js';
import { readJsonFile } from './read-json-file.js';
import { readme } from './readme.js';
import { dialectModule, dialectsOf, schemasModule } from './schemas-module.js';
import { planShapes, refuseClashes, shapesModule, typeContexts } from './shapes.js';
import { exportedTypes } from './source-text.js';
import { toolModule } from './tool-module.js';
import { validateModule } from './validate-module.js';
import { webhooksModule } from './webhooks-module.js';

/** Contents of generated files by path. */
export type FileTexts = ReadonlyMap<string, string>;

/** Options of the generator: the folder for the packages, and the connectors to generate. */
export interface GenerateOptions {
  /** Folder in which a package is created for each connector. */
  readonly out: string;
  /** npm scope of the package names. Default: `@svc`. */
  readonly scope?: string;
  /** Ids of the connectors to generate. Default: all. */
  readonly only?: readonly string[];
  /** Path of the generated file with handler types for the service. Default: the file is not generated. */
  readonly handlers?: string;
}

/** Generates the packages of a catalogue's connectors in memory. Equal catalogues give identical bytes. */
export async function generate(catalog: Catalog, options: GenerateOptions): Promise<FileTexts> {
  return new Map([...generateParts(catalog, options)].flatMap((files) => [...files]));
}

/** Generates the connector packages one after another, so that memory contains only one package at a time. */
export function* generateParts(catalog: Catalog, options: GenerateOptions): Generator<FileTexts> {
  const { out, scope = '@svc', only, handlers } = options;
  for (const connector of catalog.connectors.values()) {
    if (only === undefined || only.includes(connector.id))
      yield generatePackage(catalog, connector, { scope, folder: join(out, connector.id) });
  }
  if (handlers !== undefined) yield new Map([[handlers, handlersModule(catalog)]]);
}

function generatePackage(
  catalog: Catalog,
  connector: Connector,
  { scope, folder }: { readonly scope: string; readonly folder: string },
): FileTexts {
  const name = `${scope}/${connector.id}`;
  const shapes = planShapes(catalog, connector);
  const shapeTypes = shapes.map((shape) => shape.name);
  const contextOf = typeContexts(connector, shapes);
  const modules = connector.tools.map((tool) => toolModule(describeTool(catalog, tool), contextOf));
  const webhooks = webhooksModule(catalog, connector, contextOf('output'));
  const payloads = exportedTypes(webhooks ?? '');
  refuseClashes(connector, shapes, [...modules.flatMap(({ source }) => exportedTypes(source)), ...payloads]);
  const recipes = readRecipes(folder);
  const surroundings = surroundingsOf(folder);
  // A connector without tools still gets `connector.ts`, unless its package exports hand-written recipes instead.
  const hasMethods = modules.length > 0 || recipes === undefined;
  const content = { shapes: shapeTypes, payloads, hasMethods, hasRecipes: recipes !== undefined };

  const files = new Map<string, string>();
  const add = (path: string, text: string) => files.set(join(folder, path), text);
  add('README.md', readme(name, connector, modules, recipes));
  add('package.json', packageJson(name, connector, readPackageJson(folder), surroundings));
  for (const [path, text] of Object.entries(configFiles(connector, surroundings))) add(path, text);
  add('src/index.ts', indexModule(connector, modules, content));
  add('src/schemas.ts', schemasIndexModule());
  if (hasMethods) add('src/generated/connector.ts', connectorModule(connector, modules, shapeTypes));
  add('src/generated/schemas.ts', schemasModule(catalog, connector));
  for (const dialect of dialectsOf(connector))
    add(`src/generated/schemas/${dialect}.ts`, dialectModule(catalog, connector, dialect));
  if (modules.length > 0) add('src/generated/validate.ts', validateModule(modules));
  if (shapes.length > 0) add('src/generated/shapes.ts', shapesModule(connector, shapes));
  if (webhooks !== undefined) add('src/generated/webhooks.ts', webhooks);
  for (const { description, source } of modules)
    add(`src/generated/tools/${toolFile(description.tool)}.ts`, source);
  return files;
}

function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return {};
  const parsed = readJsonFile(path);
  return isJsonObject(parsed) ? parsed : {};
}

/**
 * Returns the hand-written README section about a package's recipes: functions that combine several tool calls.
 * Undefined if the package has no recipes.
 */
function readRecipes(folder: string): string | undefined {
  const recipes = join(folder, 'src', 'recipes');
  if (!existsSync(join(recipes, 'index.ts'))) return undefined;
  const text = join(recipes, 'README.md');
  return existsSync(text) ? readFileSync(text, 'utf8').trim() : '';
}

function surroundingsOf(folder: string): Surroundings {
  const workspace = findAbove(folder, 'pnpm-workspace.yaml');
  // Counts a pnpm workspace only if it contains `@svc/core`, because generated packages cannot use the configuration of
  // any other workspace.
  const isWorkspace =
    workspace !== undefined &&
    readPackageJson(join(dirname(workspace), 'packages', 'core'))['name'] === '@svc/core';
  const base = isWorkspace ? findAbove(folder, 'tsconfig.base.json') : undefined;
  return {
    baseConfig: base === undefined ? undefined : relative(folder, base).replaceAll('\\', '/'),
    isWorkspace,
    hasRecipes: existsSync(join(folder, 'src', 'recipes', 'index.ts')),
  };
}
