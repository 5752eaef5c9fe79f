import { childSchemas, mapChildSchemas } from '../child-schemas.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';

const SHARED = 'types.json#/$defs/';
const LOCAL = '#/$defs/';

/** Schemas that a `$ref` can point to: those in its own file, and the shared schemas of the connector. */
export interface ReferenceScope {
  /** Parsed tool file that contains the reference. Undefined for references inside `types.json`. */
  readonly document?: unknown;
  readonly types: Readonly<Record<string, JsonSchema>>;
}

/** Target of a `$ref`: the name of a shared schema in `types.json`, or a schema in the tool file. */
export type Target = { readonly shared: string } | { readonly inline: JsonSchema };

/** Finds the target of a `$ref`. Returns undefined if the target does not exist. */
export function followReference(reference: string, scope: ReferenceScope): Target | undefined {
  const prefix = scope.document === undefined ? LOCAL : SHARED;
  if (reference.startsWith(prefix)) {
    const shared = reference.slice(prefix.length);
    return Object.hasOwn(scope.types, shared) ? { shared } : undefined;
  }
  if (scope.document === undefined || !reference.startsWith('#/')) return undefined;
  const inline = at(scope.document, reference.slice(2).split('/'));
  return isJsonObject(inline) ? { inline } : undefined;
}

function at(document: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

/**
 * Returns a schema without references to other files. `$defs` contains the shared schemas, and references within the
 * tool file are inlined. Results are cached.
 */
export function bundle(schema: JsonSchema, scope: ReferenceScope): JsonSchema {
  const { shapes, bundles } = madeWith(scope.types);
  const made = bundles.get(schema) ?? makeBundle(schema, scope, shapes);
  bundles.set(schema, made);
  return made;
}

function makeBundle(schema: JsonSchema, scope: ReferenceScope, shared: Map<string, JsonSchema>): JsonSchema {
  const defs = new Map<string, JsonSchema>();

  const resolve = (node: JsonSchema, within: ReferenceScope, open: readonly string[] = []): JsonSchema => {
    const copy = mapChildSchemas(node, (child) => resolve(child, within, open));
    if (node.$ref === undefined) return copy;
    const target = followReference(node.$ref, within);
    if (target === undefined) throw new Error(`"${node.$ref}" points to no schema; correct the reference`);
    if ('shared' in target) {
      share(target.shared);
      return { ...copy, $ref: LOCAL + target.shared };
    }
    if (open.includes(node.$ref))
      throw new Error(`"${node.$ref}" refers to itself; move the schema to types.json`);
    const { $ref: _, ...siblings } = copy;
    return { ...resolve(target.inline, within, [...open, node.$ref]), ...siblings };
  };

  const share = (name: string): void => {
    const shape = scope.types[name];
    if (shape === undefined || defs.has(name)) return;
    // Stores the schema before resolving its references, because they may refer back to it.
    defs.set(name, shape);
    const made = shared.get(name) ?? resolve(shape, { types: scope.types });
    shared.set(name, made);
    defs.set(name, made);
    for (const other of referencesIn(made)) share(other);
  };

  const bundled = resolve(schema, scope);
  if (defs.size === 0) return bundled;
  return { ...bundled, $defs: Object.fromEntries([...defs].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

interface Made {
  /**
   * Shared schemas (`types.json`) of a connector with resolved references, by name. All tools of the connector use them
   * in `$defs`.
   */
  readonly shapes: Map<string, JsonSchema>;
  /** Cached results of `bundle`, by tool schema. Loading a connector and later tool calls use each result. */
  readonly bundles: WeakMap<JsonSchema, JsonSchema>;
}

const madeOf = new WeakMap<ReferenceScope['types'], Made>();

function madeWith(types: ReferenceScope['types']): Made {
  const made = madeOf.get(types) ?? { shapes: new Map(), bundles: new WeakMap() };
  madeOf.set(types, made);
  return made;
}

/** Returns the names of the shared schemas to which a bundled schema refers. */
const referencesIn = (schema: JsonSchema): readonly string[] => [
  ...(schema.$ref === undefined ? [] : [schema.$ref.slice(LOCAL.length)]),
  ...childSchemas(schema).flatMap(({ schema: child }) => referencesIn(child)),
];

/**
 * Returns true if a shared schema refers to itself directly, without a property or item in between. Such a schema
 * describes no value.
 */
export function isCircular(name: string, types: ReferenceScope['types']): boolean {
  const seen = new Set<string>();
  const leadsBack = (schema: JsonSchema | undefined): boolean => {
    if (schema === undefined) return false;
    const next = schema.$ref?.startsWith(LOCAL) ? schema.$ref.slice(LOCAL.length) : undefined;
    if (next === name) return true;
    if (next !== undefined && !seen.has(next)) {
      seen.add(next);
      if (leadsBack(types[next])) return true;
    }
    return childSchemas(schema).some(
      (child) => SAME_VALUE.includes(child.keyword) && leadsBack(child.schema),
    );
  };
  return leadsBack(types[name]);
}

/** JSON Schema keywords whose subschemas apply to the value itself, not to its properties or items. */
const SAME_VALUE = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
