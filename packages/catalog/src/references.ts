import { childSchemas, mapChildSchemas } from './child-schemas.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';

const SHARED = 'types.json#/$defs/';
const LOCAL = '#/$defs/';

/** Targets of a reference: its own file, and the shapes that the connector's tools share. */
export interface ReferenceScope {
  /** The parsed tool file; undefined inside `types.json`. */
  readonly document?: unknown;
  readonly types: Readonly<Record<string, JsonSchema>>;
}

/** Target of a reference: a shape of `types.json` by name, or a schema in the same file. */
export type Target = { readonly shared: string } | { readonly inline: JsonSchema };

/** Follows a `$ref`; undefined when nothing is there. */
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

/** A schema that needs no other file: shared shapes stand in its `$defs`, references within the tool file are written out. */
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
    if (target === undefined) throw new Error(`"${node.$ref}" leads nowhere`);
    if ('shared' in target) {
      share(target.shared);
      return { ...copy, $ref: LOCAL + target.shared };
    }
    if (open.includes(node.$ref))
      throw new Error(`"${node.$ref}" contains itself; put the shape into types.json`);
    const { $ref: _, ...beside } = copy;
    return { ...resolve(target.inline, within, [...open, node.$ref]), ...beside };
  };

  const share = (name: string): void => {
    const shape = scope.types[name];
    if (shape === undefined || defs.has(name)) return;
    // Before the shapes that it leads to, one of which may lead back.
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
  /** The shapes of a connector as they stand in `$defs`: the same for every schema that refers to them. */
  readonly shapes: Map<string, JsonSchema>;
  /** Schemas of its tools, which are checked when they are loaded and used later. */
  readonly bundles: WeakMap<JsonSchema, JsonSchema>;
}

const madeOf = new WeakMap<ReferenceScope['types'], Made>();

function madeWith(types: ReferenceScope['types']): Made {
  const made = madeOf.get(types) ?? { shapes: new Map(), bundles: new WeakMap() };
  madeOf.set(types, made);
  return made;
}

/** The names of the shapes that a bundled shape refers to. */
const referencesIn = (schema: JsonSchema): readonly string[] => [
  ...(schema.$ref === undefined ? [] : [schema.$ref.slice(LOCAL.length)]),
  ...childSchemas(schema).flatMap(({ schema: child }) => referencesIn(child)),
];

/** Returns whether a shape refers to itself without a field or item between, so that it describes no value. */
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

/** Keywords whose schemas speak of the very value that they stand at. */
const SAME_VALUE = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
