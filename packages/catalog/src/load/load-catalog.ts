import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInFolder, createFindPrecompiled, readBuiltIn } from '../built-in.js';
import type { Catalog } from '../catalog.js';
import type { Connector } from '../connector.js';
import { CatalogError, type Problem } from '../errors.js';
import { createIsFormat, type IsFormat } from '../formats.js';
import { type Ajvs, allFormats, createAjvs, createObjectRules } from '../input/create-ajvs.js';
import { createValidator, type Validator } from '../input/create-validator.js';
import { lazy } from '../input/lazy.js';
import { isJsonObject } from '../json-schema.js';
import { checkExamples } from '../lint/check-examples.js';
import { checkPayloadExamples } from '../lint/check-webhooks.js';
import { createReport } from '../lint/file-report.js';
import { type Compiling, createCatalog } from './create-catalog.js';
import { isFolder } from './is-folder.js';
import { type LoadedConnector, loadConnector } from './load-connector.js';
import { readJson } from './read-json.js';

/** Folders that `loadCatalog` reads, and the checks that it makes. */
export interface LoadOptions {
  /**
   * Folders that contain connector folders, in addition to the built-in connectors. Their examples are always
   * checked.
   */
  readonly folders?: readonly string[];
  /** True to load the connectors of this package too. Default: true. */
  readonly builtIn?: boolean;
  /**
   * True to read the JSON files of the built-in connectors instead of their validated copies in dist/. Default: false.
   */
  readonly fromFiles?: boolean;
  /**
   * True to compile all schemas and check all examples of the built-in connectors. Default: false, because their
   * release already did.
   */
  readonly checkExamples?: boolean;
  /** Clock for rules about time. Default: the system clock. */
  readonly now?: () => Date;
}

/** Loads and validates connectors and tools. Throws `CatalogError`, which lists the problems of all files. */
export function loadCatalog(options: LoadOptions = {}): Catalog {
  const { folders = [], builtIn = true, checkExamples: checkAll = false, now = () => new Date() } = options;
  const problems: Problem[] = [];
  const rules = createObjectRules(now);
  const ajvs = createAjvs(rules);
  const load = (folder: string): readonly LoadedConnector[] =>
    connectorFolders(folder, problems).flatMap((path) => loadConnector(path, metas(), problems) ?? []);

  const isBuilt = !checkAll && !options.fromFiles;
  const built = builtIn && isBuilt ? readBuiltIn() : [];
  const own = builtIn && !isBuilt ? load(builtInFolder()) : [];
  const extra = folders.flatMap(load);
  const loaded = [...own, ...extra];
  const connectors = [...built, ...loaded.map(({ connector }) => connector)];
  reportDuplicates(connectors, { problems, builtIn: connectors.slice(0, built.length + own.length) });
  throwIfAny(problems);

  const builtTools = built.flatMap(({ tools }) => tools);
  const findPrecompiled = createFindPrecompiled(builtTools, rules);
  const catalog = createCatalog(connectors, { ajvs, findPrecompiled });
  const interpreting = { now, isFormat };
  const checked = checkAll ? loaded : extra;
  checkAllExamples(checked, problems, { ajvs: createAjvs(rules), interpreting, schemas: catalog });
  throwIfAny(problems);
  return catalog;
}

const isFormat: IsFormat = (format, text) => createIsFormat(allFormats())(format, text);

/** Checks all examples in a separate catalogue, so that the memory of its compiled validators is freed afterwards. */
function checkAllExamples(
  checked: readonly LoadedConnector[],
  problems: Problem[],
  compiling: Omit<Compiling, 'findPrecompiled'>,
): void {
  const connectors = checked.map(({ connector }) => connector);
  const catalog = createCatalog(connectors, { ...compiling, findPrecompiled: () => undefined });
  for (const [tool, path] of checked.flatMap(({ files }) => [...files]))
    checkExamples(catalog, tool, createReport(path, problems));
  for (const { connector, path } of checked)
    checkPayloadExamples(catalog, connector, createReport(path, problems));
}

/** Validators for the JSON files of connectors. They are compiled once per process, because that takes about 60 ms. */
const metas = lazy(() => {
  const ajvs = createAjvs(createObjectRules(() => new Date()));
  return { connector: metaValidator(ajvs, 'connector'), tool: metaValidator(ajvs, 'tool') };
});

function metaValidator(ajvs: Ajvs, name: string): Validator {
  const path = join(builtInFolder(), 'meta', `${name}.json`);
  const problems: Problem[] = [];
  const schema = readJson(path, createReport(path, problems));
  throwIfAny(problems);
  return createValidator(ajvs, isJsonObject(schema) ? schema : false, { subject: 'the file' });
}

/**
 * Folders in schemas/ that are no connectors: `meta` contains the schemas of catalogue files, and `events` the types of
 * events.
 */
const OTHER_FOLDERS = ['meta', 'events'];

function connectorFolders(folder: string, problems: Problem[]): readonly string[] {
  const report = createReport(folder, problems);
  if (!existsSync(folder)) report([], 'the folder does not exist; create it, or correct the path');
  else if (!isFolder(folder))
    report([], 'the path is not a folder; give the folder that contains the connectors');
  else if (existsSync(join(folder, 'connector.json')))
    report([], 'this is the folder of one connector; give the folder that contains it');
  else
    return readdirSync(folder)
      .filter((name) => !OTHER_FOLDERS.includes(name) && !name.startsWith('.'))
      .map((name) => join(folder, name))
      .filter(isFolder)
      .sort();
  return [];
}

function reportDuplicates(
  connectors: readonly Connector[],
  { problems, builtIn }: { readonly problems: Problem[]; readonly builtIn: readonly Connector[] },
): void {
  const ids = connectors.map(({ id }) => id);
  for (const id of new Set(ids.filter((name, index) => ids.indexOf(name) < index))) {
    const reason = builtIn.some((connector) => connector.id === id)
      ? `"${id}" is the id of a built-in connector; choose another id`
      : `two folders have a connector "${id}"; rename one of them`;
    createReport(join(id, 'connector.json'), problems)(['id'], reason);
  }
}

function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new CatalogError(problems);
}
