import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Catalog, type JsonObject, loadCatalog, type Tool, type ToolVersion } from '../src/index.js';

/** Files of a connector folder by their path in it. */
export type Files = Readonly<Record<string, unknown>>;

export const NOW = new Date('2026-11-20T12:00:00Z');

export const pets = {
  id: 'pets',
  title: 'Pets',
  description: 'A connector for tests.',
  api: 'Pet API',
  baseUrl: 'https://pets.example.com',
  auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
};

/** A version of a tool whose input has these keywords. */
export function version(input: JsonObject, rest: JsonObject = {}): JsonObject {
  return {
    schema_version: '1.0.0',
    tool_version: '1.0.0',
    status: 'current',
    input: { type: 'object', additionalProperties: false, ...input, ...withDescriptions(input) },
    output: { type: 'object', additionalProperties: true },
    request: { method: 'POST', path: '/pets', body: namesOf(input) },
    ...rest,
  };
}

function withDescriptions({ properties }: JsonObject): JsonObject {
  if (properties === undefined) return {};
  const described = Object.entries(properties ?? {}).map(([name, schema]) => [
    name,
    { description: 'For tests.', ...schema },
  ]);
  return { properties: Object.fromEntries(described) };
}

/** Every input under its own name. */
function namesOf({ properties }: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(properties ?? {}).map((name) => [name, `{${name}}`]));
}

/** A tool file with these versions. */
export function toolFile(name: string, versions: readonly JsonObject[], rest: JsonObject = {}): JsonObject {
  return {
    name,
    title: 'List pets',
    description: 'Lists pets of all kinds, for tests of the catalogue alone.',
    hints: { readOnly: true, destructive: false, idempotent: true },
    versions,
    examples: [{ title: 'All of them', input: {} }],
    ...rest,
  };
}

/** Writes connector folders into a new folder and returns its path. */
export function writeFolder(connectors: Readonly<Record<string, Files>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  for (const [id, files] of Object.entries(connectors)) {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, id, name);
      mkdirSync(dirname(path), { recursive: true });
      const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
      writeFileSync(path, isRaw ? content : JSON.stringify(content));
    }
  }
  return folder;
}

/** A catalogue with the connector `pets` alone. */
export function loadPets(files: Files): Catalog {
  const folder = writeFolder({ pets: { 'connector.json': pets, ...files } });
  return loadCatalog({ builtIn: false, folders: [folder], now: () => NOW });
}

/** A tool of the connector `pets` with these versions, and its first version. */
export function loadTool(
  versions: readonly JsonObject[],
  rest: JsonObject = {},
  files: Files = {},
): { readonly catalog: Catalog; readonly tool: Tool; readonly version: ToolVersion } {
  const file = toolFile('pets_list', versions, rest);
  const catalog = loadPets({ 'tools/pets_list.json': file, ...files });
  const tool = catalog.tools.get('pets_list');
  const first = tool?.versions[0];
  if (tool === undefined || first === undefined) throw new Error('the fixture has no tool');
  return { catalog, tool, version: first };
}

/** Returns the error that an action throws. */
export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
