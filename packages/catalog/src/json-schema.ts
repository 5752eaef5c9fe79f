/** JSON object whose members have not been validated. */
export type JsonObject = Record<string, unknown>;

/**
 * JSON Schema (2020-12) with the keywords that the catalogue uses, including its own keywords for rules across
 * fields.
 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  /** True when the value is a secret, which is never shown, logged or stored. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly exactlyOneOf?: KeyGroups;
  readonly atMostOneOf?: KeyGroups;
  readonly atLeastOneOf?: KeyGroups;
  /**
   * Properties whose value is the name of another property, with the allowed names. The named property is then
   * required.
   */
  readonly namedBy?: Readonly<Record<string, readonly string[]>>;
  readonly requiredWith?: Readonly<Record<string, readonly string[]>>;
  readonly requiredWhen?: readonly RequiredWhen[];
  readonly before?: readonly (readonly [string, string])[];
  readonly notFuture?: readonly string[];
  readonly withinMonths?: WithinMonths;
  readonly [keyword: string]: unknown;
}

/** Value of a keyword such as `exactlyOneOf`: one group of property names, or a list of groups. */
export type KeyGroups = readonly string[] | readonly (readonly string[])[];

/** Requires the properties in `required` when `property` has the value `equals`. */
export interface RequiredWhen {
  readonly property: string;
  readonly equals: unknown;
  readonly required: readonly string[];
}

/**
 * Requires that each pair of times in `of` is less than `months` apart. A missing second time means the current time.
 */
export interface WithinMonths {
  readonly months: number;
  readonly of: readonly (readonly [string, string])[];
}

/** Checks whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Normalizes the value of a keyword such as `exactlyOneOf` to a list of groups of property names. */
export function keyGroupsOf(groups: KeyGroups | undefined): readonly (readonly string[])[] {
  if (groups === undefined) return [];
  const nested = groups.filter((group) => typeof group !== 'string');
  return nested.length > 0 ? nested : [groups.filter((name) => typeof name === 'string')];
}

/** Returns the boolean properties of `exactlyOneOf` groups. True selects the property, and false counts as absent. */
export function flagsOf({ exactlyOneOf, properties = {} }: JsonSchema): ReadonlySet<string> {
  const names = keyGroupsOf(exactlyOneOf).flat();
  return new Set(names.filter((name) => properties[name]?.type === 'boolean'));
}

/** Returns the `$defs` of a schema. A union branch of the schema needs the `$defs` when it is compiled separately. */
export const definitionsOf = ({ $defs }: JsonSchema): Pick<JsonSchema, '$defs'> =>
  $defs === undefined ? {} : { $defs };

/** Returns the JSON kind of a value: string, number, boolean, array, object or null. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Copies JSON data deeply. Used instead of `structuredClone`, because it is several times faster. */
export function cloneJson<Value>(value: Value): Value;
export function cloneJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => cloneJson(item));
  // `Object.fromEntries` defines each key, so a JSON key `__proto__` does not change the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cloneJson(member)]));
}

/** Replaces a `$ref` by its target, and merges the schema's other keywords into the target. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...siblings } = schema;
  const target = root.$defs?.[$ref.replace('#/$defs/', '')];
  if (target === undefined) return siblings;
  return resolved(Object.keys(siblings).length === 0 ? target : { ...target, ...siblings }, root);
}

/**
 * Returns the properties that a schema declares: its own, those of its `$ref` target, and those of `allOf`. The schema
 * must not refer to other files.
 */
export function propertiesOf(
  schema: JsonSchema,
  defs = schema.$defs ?? {},
): Readonly<Record<string, JsonSchema>> {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? undefined : defs[name];
  return Object.assign(
    {},
    ...(target === undefined ? [] : [propertiesOf(target, defs)]),
    ...(schema.allOf ?? []).map((part) => propertiesOf(part, defs)),
    schema.properties,
  );
}
