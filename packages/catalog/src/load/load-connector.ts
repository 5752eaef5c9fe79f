import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { closestName } from '../closest-name.js';
import type { Connector, ConnectorFile } from '../connector.js';
import type { Problem } from '../errors.js';
import type { Validator } from '../input/create-validator.js';
import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import { checkConnector } from '../lint/check-connector.js';
import { checkForm } from '../lint/check-form.js';
import { checkNames } from '../lint/check-names.js';
import { checkObject } from '../lint/check-object.js';
import { checkSchema } from '../lint/check-schema.js';
import { checkTool, checkUpstream } from '../lint/check-tool.js';
import { checkWebhooks } from '../lint/check-webhooks.js';
import { createReport, type Report, reportRules, reportWithin } from '../lint/file-report.js';
import type { Tool, ToolVersion } from '../tool.js';
import { isFolder } from './is-folder.js';
import { readJson } from './read-json.js';
import { isCircular } from './references.js';

/** Validators for `connector.json` and tool files, made from the meta-schemas. They also fill in defaults. */
export interface MetaValidators {
  readonly connector: Validator;
  readonly tool: Validator;
}

/** Loaded connector, with the file path of each tool for problem reports. */
export interface LoadedConnector {
  readonly connector: Connector;
  /** Path of the connector's connector.json, for problem reports. */
  readonly path: string;
  readonly files: ReadonlyMap<Tool, string>;
}

/**
 * Reads and checks the folder of one connector. Adds problems to `problems`. Returns undefined if connector.json is
 * unusable.
 */
export function loadConnector(
  folder: string,
  metas: MetaValidators,
  problems: Problem[],
): LoadedConnector | undefined {
  const path = join(folder, 'connector.json');
  const report = createReport(path, problems);
  checkEntries(folder, problems);
  const file = readConnector(path, metas, report);
  const types = loadTypes(join(folder, 'types.json'), problems);
  if (file === undefined) return undefined;
  if (file.id !== basename(folder))
    report(
      ['id'],
      `the id is "${file.id}", but the folder is named "${basename(folder)}"; rename one of them`,
    );
  checkConnector(file, report);
  const files = loadTools(join(folder, 'tools'), { connector: file, types, metas, problems });
  const tools = [...files.keys()];
  for (const [tool, toolPath] of files)
    checkObject(tool, { tools, types }, reportWithin(createReport(toolPath, problems), 'object'));
  checkWebhooks(file, { tools, types }, reportWithin(report, 'webhooks'));
  checkNames({ id: file.id, types }, tools, {
    connector: report,
    types: createReport(join(folder, 'types.json'), problems),
    tool: (tool) => createReport(files.get(tool) ?? folder, problems),
  });
  return { connector: { ...file, types, tools }, path, files };
}

/** Content of a connector.json before `service` gets its default, the title. */
type NamedFile = Omit<ConnectorFile, 'service'> & { readonly service?: string };

const PARTS = ['connector.json', 'types.json', 'tools'];

/** Reports files and folders with a name similar to a part of a connector, because the loader does not read them. */
function checkEntries(folder: string, problems: Problem[]): void {
  for (const name of readdirSync(folder)) {
    const meant = PARTS.includes(name) ? undefined : closestName(name, PARTS);
    if (meant !== undefined)
      createReport(join(folder, name), problems)(
        [],
        `no part of a connector has this name; did you mean "${meant}"?`,
      );
  }
}

function readConnector(path: string, metas: MetaValidators, report: Report): ConnectorFile | undefined {
  const file = readJson(path, report);
  if (file === undefined) return undefined;
  const complete = isJsonObject(file) ? withEmptyParts(file) : file;
  if (!fits<NamedFile>(complete, metas.connector, report)) return undefined;
  return { ...complete, service: complete.service ?? complete.title };
}

/**
 * Adds absent parts of a connector.json as empty objects, because the meta-schema fills in defaults only inside objects
 * that exist.
 */
function withEmptyParts({ $schema: _, ...file }: JsonObject): JsonObject {
  const { auth, hosts = {} } = file;
  return {
    headers: {},
    errors: [],
    retry: {},
    ...file,
    hosts: isJsonObject(hosts)
      ? Object.fromEntries(Object.entries(hosts).map(([name, host]) => [name, withHeaders(host)]))
      : hosts,
    auth: isJsonObject(auth) ? completeAuth(auth) : auth,
  };
}

function completeAuth(auth: JsonObject): JsonObject {
  if (auth['type'] === 'mcp_oauth') return { scopes: [], ...auth };
  if (auth['type'] !== 'oauth2') return { credentials: [], ...auth };
  const { tokenRequest = {}, ...rest } = auth;
  return {
    authorizationParameters: {},
    scopes: [],
    errorCodes: {},
    ...rest,
    tokenRequest: withHeaders(tokenRequest),
  };
}

function withHeaders(part: unknown): unknown {
  return isJsonObject(part) ? { headers: {}, ...part } : part;
}

function fits<Type>(value: unknown, validator: Validator, report: Report): value is Type {
  const broken = validator(value);
  reportRules(broken, report);
  return broken.length === 0;
}

function loadTypes(path: string, problems: Problem[]): Readonly<Record<string, JsonSchema>> {
  if (!existsSync(path)) return {};
  const report = createReport(path, problems);
  const file = readJson(path, report);
  if (file === undefined) return {};
  const defs = isJsonObject(file) ? file['$defs'] : undefined;
  if (!isJsonObject(defs)) {
    report([], 'the file must be an object with the shapes in "$defs"');
    return {};
  }
  for (const name of Object.keys(defs)) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name))
      report(['$defs', name], 'the name of a shape must be in PascalCase; rename it');
  }
  const within = (name: string) => reportWithin(report, '$defs', name);
  const shapes = Object.entries(defs).map(([name, type]): [string, JsonSchema] => [
    name,
    // An invalid shared schema becomes an empty one, so that references to it cause no further reports.
    checkForm(type, within(name)) && isJsonObject(type) ? type : {},
  ]);
  const types = Object.fromEntries(shapes);
  const circular = Object.keys(types).filter((name) => isCircular(name, types));
  for (const name of circular) {
    within(name)(
      [],
      'the shape only refers to itself; give it a type, and refer to it from a property or item',
    );
    types[name] = {};
  }
  for (const [name, type] of Object.entries(types)) checkSchema(type, { types }, within(name));
  return types;
}

interface ToolContext {
  readonly connector: ConnectorFile;
  readonly types: Readonly<Record<string, JsonSchema>>;
  readonly metas: MetaValidators;
  readonly problems: Problem[];
}

function loadTools(folder: string, context: ToolContext): ReadonlyMap<Tool, string> {
  if (existsSync(folder) && !isFolder(folder))
    createReport(folder, context.problems)(
      [],
      'the path is not a folder; replace it with a folder of tool files',
    );
  const entries = isFolder(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const isTool = (entry: Dirent) => entry.name.endsWith('.json') && !entry.isDirectory();
  // Reports only folders, and files such as `list.json5` that look like misnamed tool files. Other files may be notes.
  for (const { name } of entries.filter((entry) => !isTool(entry) && isMeantAsTool(entry)))
    createReport(join(folder, name), context.problems)(
      [],
      'this entry is ignored, because a tool is a file that ends with .json; rename or delete it',
    );
  const names = entries.filter(isTool).map(({ name }) => name);
  const loaded = names.sort().flatMap((name) => {
    const path = join(folder, name);
    const tool = loadTool(path, context);
    return tool === undefined ? [] : [[tool, path] as const];
  });
  return new Map(loaded);
}

const isMeantAsTool = (entry: Dirent): boolean =>
  entry.isDirectory() || ['.jsonc', '.json5'].includes(extname(entry.name));

function loadTool(path: string, { connector, types, metas, problems }: ToolContext): Tool | undefined {
  const report = createReport(path, problems);
  const file = readJson(path, report);
  if (file === undefined || !fits<Omit<Tool, 'connector'>>(file, metas.tool, report)) return undefined;
  const isReadable = file.versions.map((version, index) =>
    checkForms(version, reportWithin(report, 'versions', index)),
  );
  if (isReadable.includes(false)) return undefined;
  const tool: Tool = { ...file, scopes: file.scopes ?? [], connector: connector.id };
  checkTool(tool, basename(path), { document: tool, types }, report);
  checkUpstream(tool, connector, report);
  return tool;
}

function checkForms({ input, output }: ToolVersion, report: Report): boolean {
  const isInput = checkForm(input, reportWithin(report, 'input'));
  return (typeof output === 'boolean' || checkForm(output, reportWithin(report, 'output'))) && isInput;
}
