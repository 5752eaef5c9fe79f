import fc from 'fast-check';

/** Subset of JSON Schema that the service's OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

export type Value = fc.Arbitrary<unknown>;

/** Valid values by property name, such as IDs of existing objects, so that requests pass the first checks. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Options of the generator: known valid values, and whether every generated value must be valid (`isExact`). */
export interface Making {
  readonly known: Known;
  readonly isExact: boolean;
}

const LONGEST = 40;
const STRANGE_TEXTS = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '\r\n',
  "' or 1=1 --",
  '"; drop table accounts; --',
  '%00',
  '../../etc/passwd',
  'a'.repeat(300),
  'é'.repeat(200),
  '𝒳',
  '__proto__',
  'NaN',
  '-1',
  '1e400',
];
const STRANGE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', '', '\0', '\ud800', 'extra'];

export const strangeValue: Value = fc.oneof(
  fc.constantFrom(...STRANGE_TEXTS),
  fc.string({ unit: 'binary', maxLength: LONGEST }),
  fc.constantFrom<unknown[]>(null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates the usual value 12 times of 13, and the strange value otherwise. `isExact` allows only the usual value. */
export const mostly = <A, B>(
  { isExact }: Making,
  usual: fc.Arbitrary<A>,
  strange: fc.Arbitrary<B>,
): fc.Arbitrary<A | B> =>
  isExact ? usual : fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: strange });

export const seldom = <A>(making: Making, strange: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  mostly(making, fc.constant(undefined), strange);

function textOf({ pattern, maxLength = LONGEST }: Schema): Value {
  const longest = Math.min(maxLength, LONGEST);
  return pattern === undefined
    ? fc.string({ maxLength: longest })
    : fc.stringMatching(new RegExp(pattern), { maxLength: longest });
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, making: Making): Value {
  const entries = Object.entries(properties).map(([name, property]) => {
    const value = fc.tuple(fc.constant(name), nearValid(property, making, name));
    const leftOut = fc.constant(undefined);
    return required.includes(name)
      ? mostly(making, value, leftOut)
      : fc.oneof({ weight: making.isExact ? 6 : 2, arbitrary: leftOut }, { weight: 1, arbitrary: value });
  });
  const inner =
    typeof additionalProperties === 'object' ? nearValid(additionalProperties, making) : strangeValue;
  const names = Object.keys(making.known);
  const extra = fc.tuple(fc.constantFrom(...STRANGE_KEYS, ...names), inner);
  return fc.tuple(fc.tuple(...entries), seldom(making, extra)).map(([own, more]) => {
    const object = Object.create(null);
    for (const [name, value] of [...own, more].filter((entry) => entry !== undefined)) object[name] = value;
    return object;
  });
}

function usualOf(schema: Schema, making: Making, name: string): Value {
  const { known } = making;
  const [type] = [schema.type].flat();
  if (known[name]) return fc.constantFrom(...known[name]);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'object') return objectOf(schema, making);
  if (type === 'array') return fc.array(nearValid(schema.items ?? {}, making), { maxLength: 3 });
  if (type === 'string') return textOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 1000 });
  return strangeValue;
}

/** Generates values that the schema accepts, or nearly accepts. */
export const nearValid = (schema: Schema, making: Making, name = ''): Value =>
  mostly(making, usualOf(schema, making, name), strangeValue);
