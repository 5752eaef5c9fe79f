import type { Described, DescribedMethod } from './read-descriptions.js';

export type Query = readonly [name: string, value: string][];

/**
 * Returns why the API description rejects a query, or undefined. Only single parameters are checked, not combinations.
 */
export function checkQuery(query: Query, { parameters = {} }: DescribedMethod): string | undefined {
  const inQuery = Object.entries(parameters).filter(([, { location }]) => location === 'query');
  const missing = inQuery.find(
    ([name, { required }]) => required && !query.some(([one, value]) => one === name && value !== ''),
  );
  if (missing !== undefined) return `${missing[0]} is missing`;
  for (const [name, value] of query) {
    const [, parameter] = inQuery.find(([one]) => one === name) ?? [];
    if (parameter === undefined) return `${name} is unknown`;
    if (!parameter.repeated && query.filter(([one]) => one === name).length > 1) return `${name} is repeated`;
    if (!isTaken(value, parameter)) return `${name} does not take ${value}`;
  }
  return undefined;
}

const INTEGERS: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

function isTaken(value: string, { type, format = '', minimum, maximum, enum: words }: Described): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (words !== undefined) return words.includes(value);
  if (type === 'integer') {
    const [least, most] = INTEGERS[format] ?? [-Infinity, Infinity];
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    return (
      Number.isInteger(number) && number >= Number(minimum ?? least) && number <= Number(maximum ?? most)
    );
  }
  const isMoment = format === 'date-time' || format === 'google-datetime';
  return !isMoment || (MOMENT.test(value) && !Number.isNaN(Date.parse(value)));
}
