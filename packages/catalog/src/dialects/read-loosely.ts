import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import { createRoom, type JsonRoom, parseBounded } from './parse-bounded.js';

/** Kinds of JSON values. An integer is a number too. */
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

const KINDS: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Maximum depth to which JSON inside strings of other JSON is parsed. */
const MOST_DEPTH = 3;

interface Reading {
  readonly root: JsonSchema;
  readonly depth: number;
  readonly room: JsonRoom;
}

/**
 * Caches the result of a function for each schema of a root schema, because long lists have one schema for all of their
 * items.
 */
function cached<Result>(compute: (schema: JsonSchema, root: JsonSchema) => Result) {
  const byRoot = new WeakMap<JsonSchema, WeakMap<JsonSchema, Result>>();
  return (schema: JsonSchema, root: JsonSchema): Result => {
    const results = byRoot.get(root) ?? new WeakMap<JsonSchema, Result>();
    byRoot.set(root, results);
    const known = results.get(schema);
    if (known !== undefined) return known;
    const result = compute(schema, root);
    results.set(schema, result);
    return result;
  };
}

function kindOf(value: unknown): Kind | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return KINDS.find((kind) => kind === typeof value);
}

const resolve = cached(function resolve(schema, root): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const definition = name === undefined ? undefined : root.$defs?.[name];
  return definition === undefined ? schema : { ...definition, ...schema };
});

/** Returns the kinds of values that a schema accepts; all kinds if the schema does not restrict them. */
const kindsOf = cached(function kindsOf(given, root): ReadonlySet<Kind> {
  const schema = resolve(given, root);
  const { type, enum: values, const: constant, anyOf, oneOf } = schema;
  if (type !== undefined) {
    const types = [type].flat().map((each) => (each === 'integer' ? 'number' : each));
    return new Set(KINDS.filter((kind) => types.includes(kind)));
  }
  const listed = values ?? (constant === undefined ? undefined : [constant]);
  if (listed !== undefined) return new Set(listed.flatMap((value) => kindOf(value) ?? []));
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) return new Set(branches.flatMap((branch) => [...kindsOf(branch, root)]));
  return new Set(KINDS);
});

/** Checks whether a schema rejects the empty text. Considers only keywords that need no validator. */
function refusesEmpty(given: JsonSchema, root: JsonSchema): boolean {
  const schema = resolve(given, root);
  const { format, enum: values, pattern, minLength } = schema;
  if (!kindsOf(schema, root).has('string')) return true;
  const isShort = typeof minLength === 'number' && minLength > 0;
  const isUnlisted = values !== undefined && !values.includes('');
  return isShort || isUnlisted || format !== undefined || typeof pattern === 'string';
}

/** Returns true for the text of an integer that a JavaScript number cannot represent exactly. */
const losesDigits = (text: string): boolean => !text.includes('.') && !Number.isSafeInteger(Number(text));

/** Returns true for the JSON text `null`. */
const isNullText = (value: unknown): boolean => typeof value === 'string' && value.trim() === 'null';

/**
 * Returns the number, boolean, null, object or list that a text represents, if the schema accepts that kind. The text
 * may be JSON of such a text. Returns the text otherwise.
 */
function readText(given: string, kinds: ReadonlySet<Kind>, room: JsonRoom): unknown {
  const text = given.trim();
  if (kinds.has('number') && NUMBER.test(text)) return losesDigits(text) ? given : Number(text);
  if (kinds.has('boolean') && /^(?:true|false|[01])$/i.test(text)) return /^(?:true|1)$/i.test(text);
  if (kinds.has('null') && isNullText(text)) return null;
  if (!/^[[{"]/.test(text)) return given;
  const value = parseBounded(text, room);
  if (typeof value === 'string') return readText(value, kinds, room);
  const kind = kindOf(value);
  return (kind === 'object' || kind === 'array') && kinds.has(kind) ? value : given;
}

/** Returns a text without capitals, spaces, hyphens and underscores. */
const plainForm = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');

/**
 * Returns the only value of an `enum` that equals a text except for capitals, spaces, hyphens and underscores. Returns
 * the text if the `enum` has it, or has none or several such values.
 */
function listedText(text: string, values: readonly unknown[] = []): string {
  if (values.includes(text)) return text;
  const fits = (value: unknown) => typeof value === 'string' && plainForm(value) === plainForm(text);
  const [only, ...others] = values.filter(fits);
  return typeof only === 'string' && others.length === 0 ? only : text;
}

/**
 * Returns the only branch of a union (`anyOf`, `oneOf`) that accepts this kind of value. Returns an empty schema if
 * several branches accept it.
 */
function branchFor(schema: JsonSchema, kind: Kind, root: JsonSchema): JsonSchema {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined || schema.properties !== undefined || schema.items !== undefined) return schema;
  const [only, ...others] = branches.filter((branch) => kindsOf(branch, root).has(kind));
  return only !== undefined && others.length === 0 ? resolve(only, root) : {};
}

/**
 * Returns true if null, its text or an empty text means an absent field, because the field's schema rejects the value.
 */
function isAbsent(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  const kinds = kindsOf(schema, root);
  if (value === null) return !kinds.has('null');
  if (isNullText(value)) return !kinds.has('string') && !kinds.has('null');
  return value === '' && refusesEmpty(schema, root);
}

const hasOnly = (kinds: ReadonlySet<Kind>, only: Kind): boolean =>
  kinds.has(only) && [...kinds].every((kind) => kind === only || kind === 'null');

/** Returns a number or boolean as text, if a text could only have been that value. Otherwise returns the value. */
function asText(value: number | boolean): string | number | boolean {
  const text = String(value);
  if (typeof value === 'boolean') return text;
  return NUMBER.test(text) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? text : value;
}

/**
 * Returns true if a text can only mean a list with this text as its single item. A text with a separator may mean
 * several items, and a text with a bracket or a quotation mark may be broken JSON.
 */
function isOnlyItem(text: string, { items }: JsonSchema, root: JsonSchema): boolean {
  const isPlain = text.trim() !== '' && !isNullText(text) && !/[,;\n]|^\s*[[{"]/.test(text);
  return isPlain && isJsonObject(items) && hasOnly(kindsOf(items, root), 'string');
}

/** Returns a list with a value as its only item, if a schema accepts only lists and the items have no other meaning. */
function readOnlyItem(value: unknown, schema: JsonSchema, reading: Reading): readonly unknown[] | undefined {
  const { root } = reading;
  const branch = branchFor(schema, 'array', root);
  const { items } = branch;
  if (!hasOnly(kindsOf(schema, root), 'array') || !isJsonObject(items)) return undefined;
  if (typeof value === 'string' && isOnlyItem(value, branch, root)) return [read(value, items, reading)];
  const item = read(value, items, reading);
  const kind = kindOf(item);
  const isItem = kind !== undefined && kind !== 'string' && hasOnly(kindsOf(items, root), kind);
  return isItem && kind !== 'array' ? [item] : undefined;
}

function readObject(
  object: JsonObject,
  { properties = {}, required = [] }: JsonSchema,
  reading: Reading,
): JsonObject {
  const members = Object.entries(object).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) return [[name, value] as const];
    if (!required.includes(name) && isAbsent(value, schema, reading.root)) return [];
    return [[name, read(value, schema, reading)] as const];
  });
  return Object.fromEntries(members);
}

function readString(value: string, schema: JsonSchema, reading: Reading): unknown {
  const { root, depth, room } = reading;
  const kinds = kindsOf(schema, root);
  if (kinds.has('string')) return listedText(value, schema.enum);
  if (depth >= MOST_DEPTH) return value;
  const meant = readText(value, kinds, room);
  return typeof meant === 'string' ? value : read(meant, schema, { root, depth: depth + 1, room });
}

function read(value: unknown, given: JsonSchema, reading: Reading): unknown {
  const { root } = reading;
  const schema = resolve(given, root);
  const kinds = kindsOf(schema, root);
  const kind = kindOf(value);
  if (kind !== undefined && kind !== 'array' && kind !== 'null' && !kinds.has(kind)) {
    const list = readOnlyItem(value, schema, reading);
    if (list !== undefined) return list;
  }
  if (typeof value === 'string') return readString(value, schema, reading);
  if ((typeof value === 'number' || typeof value === 'boolean') && hasOnly(kinds, 'string'))
    return asText(value);
  if ((value === 0 || value === 1) && hasOnly(kinds, 'boolean')) return value === 1;
  // PHP writes an object without members as an empty list.
  if (Array.isArray(value) && value.length === 0 && hasOnly(kinds, 'object')) return {};
  const branch = kind === undefined ? schema : branchFor(schema, kind, root);
  if (isJsonObject(value)) return readObject(value, branch, reading);
  const { items } = branch;
  if (Array.isArray(value) && isJsonObject(items)) return value.map((item) => read(item, items, reading));
  return value;
}

/**
 * Corrects tool inputs of clients that send values of a wrong type: a list, object, number or boolean as text, a number
 * or boolean for a text, one item for a list, or a listed text with other capitals. Removes null and empty texts that
 * mean an absent field. Changes only values that their schema rejects and that have a single meaning.
 */
export function readLoosely(input: unknown, schema: JsonSchema): unknown {
  return read(input, schema, { root: schema, depth: 0, room: createRoom() });
}
