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

function unknownNames({ field, kind, names, toMeant, remedy }: Unknown, prefix: string) {
  const listed = names.slice(0, MAX_LISTED).map((name) => {
    const meant = toMeant(name);
    return `${JSON.stringify(name)}${meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`}`;
  });
  return wrongField(prefix + field, `The limits contain unknown ${kind}: ${listed.join(', ')}. ${remedy}`);
}

type ToolCatalog = Pick<Catalog, 'plainInputSchemaOf' | 'tools'>;

function findTools(
  { tools: known }: ToolCatalog,
  { tools = [], arguments: limited = {}, approve }: NamedLimits,
): Unknown | undefined {
  const given = { tools, arguments: Object.keys(limited), approve: Array.isArray(approve) ? approve : [] };
  const toMeant = (name: string) => closestName(name, [...known.keys()]);
  return Object.entries(given)
    .map(([field, toolNames]) => ({
      field,
      kind: 'tools',
      names: toolNames.filter((name) => !known.has(name)),
      toMeant,
      remedy: 'GET /v1/tools lists the tools.',
    }))
    .find(({ names }) => names.length > 0);
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

function findInputs(catalog: ToolCatalog, { arguments: limited = {} }: NamedLimits): Unknown | undefined {
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
    return {
      field: `arguments.${toolName}`,
      kind: `inputs of ${toolName}`,
      names: [...steps.keys()],
      toMeant,
      remedy: `GET /v1/tools/${toolName} returns the input schema.`,
    };
  }
  return undefined;
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
 * Creates the check of the names in limits of tokens: tools, their inputs and connections. A misspelled name in
 * `arguments` or `approve` would limit nothing, and other misspelled names would allow nothing.
 */
export function createCheckTokenNames({ catalog, storage, listConnections }: CheckTokenNamesParts) {
  async function findConnections(
    applicationId: string,
    given: readonly string[],
  ): Promise<Unknown | undefined> {
    const known = (await listConnections(applicationId)).names.map(({ connectionName }) => connectionName);
    const names: string[] = [];
    for (const name of given) {
      // Another instance may have created a connection that the cached names do not contain.
      if (known.includes(name) || (await storage.connections.findByName(applicationId, name))) continue;
      if (names.push(name) === MAX_LISTED) break;
    }
    if (names.length === 0) return undefined;
    const toMeant = (name: string) => closestName(name, known);
    const remedy = 'GET /v1/connections lists the connections.';
    return { field: 'connections', kind: 'connections', names, toMeant, remedy };
  }

  /** Throws `invalid_request` for an unknown name. `prefix`: path of the limits in the request body, such as `limits.`. */
  return async function checkTokenNames(
    applicationId: string,
    limits: NamedLimits,
    prefix = '',
  ): Promise<void> {
    const unknown =
      findTools(catalog, limits) ??
      findInputs(catalog, limits) ??
      (await findConnections(applicationId, [...new Set(limits.connections)]));
    if (unknown !== undefined) throw unknownNames(unknown, prefix);
  };
}

export type CheckTokenNames = ReturnType<typeof createCheckTokenNames>;
