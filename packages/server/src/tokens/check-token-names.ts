import { type Catalog, closestName } from '@svc/catalog';
import { wrongField } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import { findUnknownStep, type UnknownStep } from './input-paths.js';
import type { TokenLimits } from './token-limits.js';

const MAX_LISTED = 3;

/** Limits of a token that contain names. */
export type NamedLimits = Pick<TokenLimits, 'tools' | 'arguments' | 'approve' | 'connections'>;

interface Unknown {
  /** Name of the token limit in which `names` stand, such as `connections`. */
  readonly field: string;
  /** Kind of the names in the error message, such as `connections`. */
  readonly kind: string;
  readonly names: readonly string[];
  /** Returns the known name that the caller probably meant. */
  readonly toMeant: (name: string) => string | undefined;
  /** Sentence that says where the known names are listed. */
  readonly remedy: string;
}

/** `prefix`: path of the limits in the request body, such as `limits.`. */
function unknownNames({ field, kind, names, toMeant, remedy }: Unknown, prefix: string) {
  const listed = names.slice(0, MAX_LISTED).map((name) => {
    const meant = toMeant(name);
    return `${JSON.stringify(name)}${meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`}`;
  });
  return wrongField(prefix + field, `The limits contain unknown ${kind}: ${listed.join(', ')}. ${remedy}`);
}

type ToolCatalog = Pick<Catalog, 'plainInputSchemaOf' | 'tools'>;

function checkTools(
  { tools: known }: ToolCatalog,
  { tools = [], arguments: limited = {}, approve }: NamedLimits,
  prefix: string,
) {
  const given = { tools, arguments: Object.keys(limited), approve: Array.isArray(approve) ? approve : [] };
  for (const [field, toolNames] of Object.entries(given)) {
    const names = toolNames.filter((name) => !known.has(name));
    if (names.length === 0) continue;
    const toMeant = (name: string) => closestName(name, [...known.keys()]);
    const remedy = 'GET /v1/tools lists the tools.';
    throw unknownNames({ field, kind: 'tools', names, toMeant, remedy }, prefix);
  }
}

/**
 * Returns the first step of a path that the input of no version of the tool has. Undefined if a version has the path.
 */
function unknownInput(catalog: ToolCatalog, toolName: string, path: string): UnknownStep | undefined {
  const tool = catalog.tools.get(toolName);
  const found = tool?.versions.map((version) =>
    findUnknownStep(path, catalog.plainInputSchemaOf(tool, version)),
  );
  return found?.includes(undefined) ? undefined : found?.[0];
}

function checkPaths(catalog: ToolCatalog, { arguments: limited = {} }: NamedLimits, prefix: string): void {
  for (const [toolName, paths] of Object.entries(limited)) {
    const steps = new Map<string, UnknownStep>();
    for (const path of Object.keys(paths)) {
      const unknown = unknownInput(catalog, toolName, path);
      if (unknown) steps.set(path, unknown);
    }
    if (steps.size === 0) continue;
    const toMeant = (path: string) => {
      const { parent = [], step = '', known = [] } = steps.get(path) ?? {};
      const meant = closestName(step, known);
      return meant === undefined ? undefined : [...parent, meant].join('.');
    };
    const remedy = `GET /v1/tools/${toolName} returns the input schema.`;
    const kind = `inputs of ${toolName}`;
    const names = [...steps.keys()];
    throw unknownNames({ field: `arguments.${toolName}`, kind, names, toMeant, remedy }, prefix);
  }
}

export interface CheckTokenNamesParts {
  readonly catalog: ToolCatalog;
  readonly storage: Pick<Storage, 'connections'>;
  /** Lists the connections of an application, from a cache. Implemented by connections/connection-names.ts. */
  readonly listConnections: (
    applicationId: string,
  ) => Promise<{ readonly names: readonly { readonly connectionName: string }[] }>;
}

/**
 * Creates the check of the names in limits of tokens: tools, their inputs and connections. A
 * misspelled name in `arguments` or `approve` would limit nothing, and other misspelled names would allow nothing.
 */
export function createCheckTokenNames({ catalog, storage, listConnections }: CheckTokenNamesParts) {
  async function checkConnections(
    applicationId: string,
    given: readonly string[],
    prefix: string,
  ): Promise<void> {
    const known = (await listConnections(applicationId)).names.map(({ connectionName }) => connectionName);
    const names: string[] = [];
    for (const name of given) {
      // Another instance may have created a connection that the cached names do not contain.
      if (known.includes(name) || (await storage.connections.findByName(applicationId, name))) continue;
      if (names.push(name) === MAX_LISTED) break;
    }
    if (names.length === 0) return;
    const toMeant = (name: string) => closestName(name, known);
    const remedy = 'GET /v1/connections lists the connections.';
    throw unknownNames({ field: 'connections', kind: 'connections', names, toMeant, remedy }, prefix);
  }

  return async function checkTokenNames(
    applicationId: string,
    limits: NamedLimits,
    prefix = '',
  ): Promise<void> {
    checkTools(catalog, limits, prefix);
    checkPaths(catalog, limits, prefix);
    await checkConnections(applicationId, [...new Set(limits.connections)], prefix);
  };
}

export type CheckTokenNames = ReturnType<typeof createCheckTokenNames>;
