import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Catalog, type Connector, isJsonObject } from '@svc/catalog';
import { connectorModule } from './connector-module.js';
import { describeTool } from './describe-tool.js';
import { dialectModule, dialectsOf } from './dialect-module.js';
import { findAbove } from './find-above.js';
import { handlersModule } from './handlers-module.js';
import { indexModule, schemasIndexModule } from './index-module.js';
import { kebabCase, ownName } from './names.js';
import { configFiles, packageJson, type Surroundings } from './package-files.js';
import { isNullableIn, planShapes, refuseClashes, shapeNames } from './plan-shapes.js';
import { readJsonFile } from './read-json-file.js';
import { readme } from './readme.js';
import { schemasModule } from './schemas-module.js';
import { shapesModule } from './shapes-module.js';
import { exportedTypes } from './source-text.js';
import { toolModule } from './tool-module.js';
import { validateModule } from './validate-module.js';

/** Texts of files by their path. */
export type FileTexts = ReadonlyMap<string, string>;

/** Where generated files go. */
export interface GenerateOptions {
  /** The folder that gets a package for each connector. */
  readonly out: string;
  /** Of the packages' names. Default: `@svc`. */
  readonly scope?: string;
  /** The connectors to generate. Default: all. */
  readonly only?: readonly string[];
  /** The file that gets the service's handler types. Default: none. */
  readonly handlers?: string;
}

/** Writes, in memory, the packages of a catalogue. Same catalogue, same bytes. */
export async function generate(catalog: Catalog, options: GenerateOptions): Promise<FileTexts> {
  const files = new Map<string, string>();
  for (const made of generateParts(catalog, options)) for (const [path, text] of made) files.set(path, text);
  return files;
}

/** The same one package after the other, so that no more than one has to be held. */
export function* generateParts(catalog: Catalog, options: GenerateOptions): Generator<FileTexts> {
  const { out, scope = '@svc', only, handlers } = options;
  const chosen = [...catalog.connectors.values()].filter(({ id }) => only === undefined || only.includes(id));
  for (const connector of chosen)
    yield generatePackage(catalog, connector, {
      name: `${scope}/${connector.id}`,
      folder: join(out, connector.id),
    });
  if (handlers !== undefined) yield new Map([[handlers, handlersModule(catalog)]]);
}

interface Place {
  /** Of the package. */
  readonly name: string;
  readonly folder: string;
}

function generatePackage(catalog: Catalog, connector: Connector, { name, folder }: Place): FileTexts {
  const shapes = planShapes(catalog, connector);
  const names = shapes.map(({ name }) => name);
  const naming = { shapes: shapeNames(shapes), isNullable: isNullableIn(connector) };
  const modules = connector.tools.map((tool) => toolModule(describeTool(catalog, tool), naming));
  const ofTools = modules.flatMap(({ source }) => exportedTypes(source));
  refuseClashes(connector, shapes, ofTools);
  const surroundings = surroundingsOf(folder);
  const recipes = readRecipes(folder);
  // A connector of recipes alone has no methods to offer.
  const hasMethods = modules.length > 0 || recipes === undefined;
  const files: readonly (readonly [string, string])[] = [
    ['README.md', readme(name, connector, modules, recipes)],
    ['package.json', packageJson(name, connector, readPackageJson(folder), surroundings)],
    ...Object.entries(configFiles(connector, surroundings)),
    [
      'src/index.ts',
      indexModule(connector, modules, { shapes: names, hasMethods, hasRecipes: recipes !== undefined }),
    ],
    ['src/schemas.ts', schemasIndexModule()],
    ...(hasMethods
      ? [['src/generated/connector.ts', connectorModule(connector, modules, names)] as const]
      : []),
    ['src/generated/schemas.ts', schemasModule(catalog, connector)],
    ...dialectsOf(connector).map(
      (dialect) =>
        [`src/generated/schemas/${dialect}.ts`, dialectModule(catalog, connector, dialect)] as const,
    ),
    ...(modules.length === 0 ? [] : [['src/generated/validate.ts', validateModule(modules)] as const]),
    ...(shapes.length === 0 ? [] : [['src/generated/shapes.ts', shapesModule(connector, shapes)] as const]),
    ...modules.map(
      ({ description, source }) =>
        [`src/generated/tools/${kebabCase(ownName(description.tool))}.ts`, source] as const,
    ),
  ];
  return new Map(files.map(([path, text]) => [join(folder, path), text]));
}

function readPackageJson(folder: string): Readonly<Record<string, unknown>> {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return {};
  const parsed = readJsonFile(path);
  return isJsonObject(parsed) ? parsed : {};
}

/** What the README says of the recipes, which a person wrote; undefined when the package has none. */
function readRecipes(folder: string): string | undefined {
  const recipes = join(folder, 'src', 'recipes');
  if (!existsSync(join(recipes, 'index.ts'))) return undefined;
  const text = join(recipes, 'README.md');
  return existsSync(text) ? readFileSync(text, 'utf8').trim() : '';
}

/** Whether the packages are members of one workspace with `@svc/core`: in any other they are as strange to it as anywhere. */
function isWithCore(folder: string): boolean {
  const workspace = findAbove(folder, 'pnpm-workspace.yaml');
  if (workspace === undefined) return false;
  return readPackageJson(join(dirname(workspace), 'packages', 'core'))['name'] === '@svc/core';
}

function surroundingsOf(folder: string): Surroundings {
  const isWorkspace = isWithCore(folder);
  const base = isWorkspace ? findAbove(folder, 'tsconfig.base.json') : undefined;
  return {
    baseConfig: base === undefined ? undefined : relative(folder, base).replaceAll('\\', '/'),
    isWorkspace,
    hasRecipes: existsSync(join(folder, 'src', 'recipes', 'index.ts')),
  };
}
