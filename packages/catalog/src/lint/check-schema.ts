import { isSameJson } from '../binding/replay.js';
import { childSchemas } from '../child-schemas.js';
import { hasRules } from '../input/keywords.js';
import { isJsonObject, type JsonSchema, keyGroupsOf, kindOf } from '../json-schema.js';
import { followReference, type ReferenceScope } from '../load/references.js';
import { type Report, reportWithin } from './file-report.js';

/** JSON Schema keywords that add conditions to an object and declare no properties of their own. */
const CONDITIONS = ['if', 'then', 'else', 'not', 'allOf', 'dependentSchemas'];

/** Checks a schema and its subschemas for mistakes that neither the meta-schema nor ajv detects. */
export function checkSchema(schema: JsonSchema, scope: ReferenceScope, report: Report): void {
  checkParts(schema, scope, report);
  checkDefaults(schema, ruledFieldsOf(schema), report);
}

/**
 * Checks the input schema of a tool. Top-level fields under `atMostOneOf` or `requiredWith` may have defaults, because
 * `ruledInput` fills in these defaults only where the rules allow them.
 */
export function checkInputSchema(schema: JsonSchema, scope: ReferenceScope, report: Report): void {
  checkParts(schema, scope, report);
  checkDefaults(schema, [schema.exactlyOneOf, schema.atLeastOneOf].flatMap(keyGroupsOf).flat(), report);
}

function checkParts(schema: JsonSchema, scope: ReferenceScope, report: Report): void {
  checkReference(schema, scope, report);
  checkIsClosedOrOpen(schema, report);
  checkSecret(schema, report);
  checkRuleNames(schema, report);
  checkValues(schema, report);
  checkBranchDefaults(schema, scope, report);
  for (const child of childSchemas(schema)) {
    const within = reportWithin(report, ...child.path);
    if (CONDITIONS.includes(child.keyword)) checkReferences(child.schema, scope, within);
    else checkSchema(child.schema, scope, within);
  }
}

function checkReferences(schema: JsonSchema, scope: ReferenceScope, report: Report): void {
  checkReference(schema, scope, report);
  for (const child of childSchemas(schema))
    checkReferences(child.schema, scope, reportWithin(report, ...child.path));
}

function checkReference(node: JsonSchema, scope: ReferenceScope, report: Report): void {
  if (node.$ref === undefined || followReference(node.$ref, scope) !== undefined) return;
  report(
    ['$ref'],
    `"${node.$ref}" points to no schema; write "types.json#/$defs/Name" (inside types.json: "#/$defs/Name")`,
  );
}

function checkIsClosedOrOpen(node: JsonSchema, report: Report): void {
  const isObject = [node.type].flat().includes('object') || node.properties !== undefined;
  if (isObject && node.additionalProperties === undefined) {
    report([], '"additionalProperties" is missing; set it to false, or to true for a free-form object');
  }
}

function checkSecret({ writeOnly, type, default: value }: JsonSchema, report: Report): void {
  if (writeOnly && (type !== 'string' || value !== undefined))
    report(['writeOnly'], 'a secret must be a string without a default; change "type", or delete "default"');
}

function checkRuleNames(node: JsonSchema, report: Report): void {
  const declared = Object.keys(node.properties ?? {});
  for (const [keyword, name] of ruleNames(node)) {
    if (!declared.includes(name))
      report([keyword], `"${name}" is not declared in "properties"; declare it, or correct the name`);
  }
  for (const name of node.required ?? []) {
    if (node.properties !== undefined && !declared.includes(name))
      report(['required'], `"${name}" is not declared in "properties"; declare it, or correct the name`);
  }
}

function ruleNames(node: JsonSchema): readonly (readonly [keyword: string, name: string])[] {
  if (!hasRules(node)) return [];
  const pairs = (keyword: string, names: readonly string[]) => names.map((name) => [keyword, name] as const);
  const requiredWith = Object.entries(node.requiredWith ?? {}).flatMap(([name, needed]) => [name, ...needed]);
  const requiredWhen = (node.requiredWhen ?? []).flatMap(({ property, required }) => [property, ...required]);
  return [
    ...pairs('exactlyOneOf', keyGroupsOf(node.exactlyOneOf).flat()),
    ...pairs('atMostOneOf', keyGroupsOf(node.atMostOneOf).flat()),
    ...pairs('atLeastOneOf', keyGroupsOf(node.atLeastOneOf).flat()),
    ...pairs(
      'namedBy',
      Object.entries(node.namedBy ?? {}).flatMap(([name, fields]) => [name, ...fields]),
    ),
    ...pairs('requiredWith', requiredWith),
    ...pairs('requiredWhen', requiredWhen),
    ...pairs('before', (node.before ?? []).flat()),
    ...pairs('notFuture', node.notFuture ?? []),
    ...pairs('withinMonths', (node.withinMonths?.of ?? []).flat()),
  ];
}

/**
 * Reports a default of a field under a rule across fields, such as `exactlyOneOf`. Validation fills in defaults before
 * it checks the rule, so the field would count as given.
 */
function checkDefaults(node: JsonSchema, names: readonly string[], report: Report): void {
  for (const name of names) {
    if (node.properties?.[name]?.default !== undefined)
      report(
        ['properties', name],
        'a field in a rule such as "exactlyOneOf" must not have a default; delete the default of this field',
      );
  }
}

function ruledFieldsOf(schema: JsonSchema): readonly string[] {
  const { exactlyOneOf, atMostOneOf, atLeastOneOf, requiredWith = {} } = schema;
  const groups = [exactlyOneOf, atMostOneOf, atLeastOneOf].flatMap(keyGroupsOf);
  return [...groups, Object.keys(requiredWith)].flat();
}

/**
 * Reports defaults inside a branch of a union (`anyOf`, `oneOf`), because validation would also fill them in for other
 * branches.
 */
function checkBranchDefaults(node: JsonSchema, scope: ReferenceScope, report: Report): void {
  for (const { keyword, path, schema } of childSchemas(node)) {
    const isBranch = keyword === 'anyOf' || keyword === 'oneOf';
    if (isBranch && hasDefault(targetOf(schema, scope)))
      report(path, 'a branch of a union must not have defaults; delete them');
  }
}

function targetOf(schema: JsonSchema, scope: ReferenceScope): JsonSchema {
  const target = schema.$ref === undefined ? undefined : followReference(schema.$ref, scope);
  if (target === undefined) return schema;
  return 'inline' in target ? target.inline : (scope.types[target.shared] ?? schema);
}

function hasDefault(schema: JsonSchema): boolean {
  return childSchemas(schema).some(({ schema: child }) => child.default !== undefined || hasDefault(child));
}

/** Checks that the values of `enum`, `const` and `default` are valid for the schema that contains them. */
function checkValues(schema: JsonSchema, report: Report): void {
  for (const [index, value] of (schema.enum ?? []).entries()) {
    if (!hasType(value, schema))
      report(
        ['enum', index],
        `${asJson(value)} does not have the type ${typesOf(schema)}; change one of them`,
      );
  }
  if (schema.const !== undefined && !hasType(schema.const, schema))
    report(
      ['const'],
      `${asJson(schema.const)} does not have the type ${typesOf(schema)}; change one of them`,
    );
  checkDefault(schema, report);
}

function checkDefault(schema: JsonSchema, report: Report): void {
  const { default: value, enum: values } = schema;
  if (value === undefined) return;
  const wrong = (reason: string) => report(['default'], `${asJson(value)} ${reason}`);
  if (!hasType(value, schema)) wrong(`does not have the type ${typesOf(schema)}; change one of them`);
  else if (values !== undefined && !values.some((each) => isSameJson(each, value)))
    wrong('is not in "enum"; change one of them');
  else {
    for (const { least, most, sizeOf } of BOUNDS) {
      const size = sizeOf(value);
      const [low, high] = [schema[least], schema[most]];
      if (typeof low === 'number' && size !== undefined && size < low)
        wrong(`is below "${least}"; change one of them`);
      if (typeof high === 'number' && size !== undefined && size > high)
        wrong(`is above "${most}"; change one of them`);
    }
  }
}

const BOUNDS = [
  {
    least: 'minimum',
    most: 'maximum',
    sizeOf: (value: unknown) => (typeof value === 'number' ? value : undefined),
  },
  {
    least: 'minLength',
    most: 'maxLength',
    sizeOf: (value: unknown) => (typeof value === 'string' ? [...value].length : undefined),
  },
  {
    least: 'minItems',
    most: 'maxItems',
    sizeOf: (value: unknown) => (Array.isArray(value) ? value.length : undefined),
  },
  {
    least: 'minProperties',
    most: 'maxProperties',
    sizeOf: (value: unknown) => (isJsonObject(value) ? Object.keys(value).length : undefined),
  },
] as const;

const asJson = (value: unknown): string => JSON.stringify(value);

const typesOf = ({ type }: JsonSchema): string => [type].flat().join(' or ');

const hasType = (value: unknown, { type }: JsonSchema): boolean =>
  type === undefined ||
  [type].flat().some((each) => (each === 'integer' ? Number.isInteger(value) : each === kindOf(value)));
