import fc from 'fast-check';
import {
  type Known,
  type Making,
  mostly,
  nearValid,
  seldom,
  strangeValue,
  type Value,
} from './near-valid.js';
import type { Operation, Parameter } from './operations.js';

/** Generated request that is valid or almost valid for an operation. */
export interface NearValidRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | undefined;
}

/**
 * Damages JSON text in ways that no serializer produces: duplicate keys, prototype keys, truncated ends, invalid
 * numbers and strings.
 */
const damage = fc.constantFrom<((text: string) => string)[]>(
  (text) => text.replace(/^\{/, '{"a":1,"a":2,'),
  (text) => text.replace(/^\{"([^"]*)"/, '{"$1":null,"$1"'),
  (text) => text.replace(/^\{/, '{"__proto__":{"isAdmin":true},'),
  (text) => text.replace(/^\{/, '{"constructor":{"prototype":{}},'),
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => text.replace(/\d+/, '1e999'),
  (text) => `${'['.repeat(40)}${text}${']'.repeat(40)}`,
  (text) => text.replace(/"[^"]*"\}/, '"\\u0000"}'),
  (text) => text.replace(/:"/, ':"\\ud83d'),
  () => '',
);

// A lone surrogate is written as three bytes of invalid UTF-8, because `encodeURIComponent` throws on it.
const encodeText = (text: string): string =>
  text.replace(/[\s\S]/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80',
  );

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const asJson = (value: Value, making: Making): fc.Arbitrary<string> =>
  fc.tuple(value.map(toJson), seldom(making, damage)).map(([text, change]) => change?.(text) ?? text);
const toJson = (value: unknown): string => JSON.stringify(value) ?? '';

const asForm = (value: Value): fc.Arbitrary<string> =>
  value.map((fields) =>
    Object.entries(Object(fields))
      .map(([name, field]) => `${encodeText(name)}=${encodeText(toText(field))}`)
      .join('&'),
  );

const BROKEN_PARAMETERS = ['%', '%zz', '%00', '%ff', '%ED%A0%80', '..', '%2e%2e', '%2f', 'a;b', '%E2%80%AE'];
const UNDECLARED = [
  'extra=1',
  '__proto__=1',
  'pageSize=1&pageSize=2',
  'constructor',
  '%00=%00',
  'pageToken=%00',
];

const parameterOf = ({ schema = {}, name, in: location }: Parameter, making: Making) =>
  mostly(
    making,
    nearValid(schema, making, name).map((value) => encodeText(toText(value))),
    fc.constantFrom(...BROKEN_PARAMETERS),
  ).map((value) => ({ name, location, value }));

function bodyOf({ requestBody }: Operation, making: Making) {
  const [[type, { schema = {} }] = ['application/json', {}]] = Object.entries(requestBody?.content ?? {});
  const value = nearValid(schema, making);
  const text = type.includes('json') ? asJson(value, making) : asForm(value);
  const none = fc.constant(undefined);
  const payload = requestBody
    ? mostly(making, text, none)
    : mostly(making, none, asJson(strangeValue, making));
  return fc.record({
    payload,
    type: mostly(making, fc.constant(type), fc.constantFrom('text/plain', 'application/json; charset=x')),
  });
}

/**
 * Generates requests to an operation. Every third is fully valid with few optional fields, because operations with many
 * fields would otherwise accept almost none.
 */
export const nearValidRequest = (operation: Operation, known: Known): fc.Arbitrary<NearValidRequest> =>
  fc.oneof(
    { weight: 2, arbitrary: requestOf(operation, { known, isExact: false }) },
    { weight: 1, arbitrary: requestOf(operation, { known, isExact: true }) },
  );

function requestOf(operation: Operation, making: Making): fc.Arbitrary<NearValidRequest> {
  const { method, path, parameters = [], requestBody } = operation;
  const given = fc.tuple(...parameters.map((parameter) => parameterOf(parameter, making)));
  const strange = fc.constantFrom(...UNDECLARED);
  // True for an operation without parameters and body. Only an undeclared query parameter can make its requests
  // invalid, so half of them get one.
  const isBare = parameters.length === 0 && requestBody === undefined && !making.isExact;
  const undeclared = isBare ? fc.option(strange, { nil: undefined, freq: 2 }) : seldom(making, strange);
  return fc.tuple(given, undeclared, bodyOf(operation, making)).map(([values, more, { payload, type }]) => {
    const inPath = new Map(
      values.filter(({ location }) => location === 'path').map(({ name, value }) => [name, value]),
    );
    const query = values
      .filter(({ location }) => location === 'query')
      .map(({ name, value }) => `${name}=${value}`);
    const queries = more === undefined ? query : [...query, more];
    const filled = path.replace(/\{([^}]+)\}/g, (_, name) => inPath.get(name) || 'x');
    return {
      operation: `${method} ${path}`,
      method,
      url: queries.length === 0 ? filled : `${filled}?${queries.join('&')}`,
      headers: payload === undefined ? {} : { 'content-type': type },
      payload,
    };
  });
}
