import fc from 'fast-check';
import type { Query } from './check-query.js';
import type { Described, DescribedMethod } from './read-descriptions.js';

/** Parameters whose valid values only the service can issue, so generated values would always be rejected. */
const OPAQUE = ['pageToken', 'syncToken'];

/** Values for parameters with which a request gets past the validation, such as ids of seeded objects. */
const KNOWN: Readonly<Record<string, string>> = {
  part: 'snippet',
  type: 'video',
  chart: 'mostPopular',
  id: 'adaEngine01',
  videoId: 'adaEngine01',
  hl: 'en',
  locale: 'en_US',
  regionCode: 'GB',
  relevanceLanguage: 'en',
  timeZone: 'Europe/London',
  location: '51.5,-0.12',
  locationRadius: '10km',
};

const MOMENTS = ['2026-11-01T00:00:00Z', '2027-03-01T10:30:00+01:00'];

function good(name: string, { type, minimum, maximum, enum: words, format = '' }: Described) {
  if (words !== undefined) return fc.constantFrom(...words);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'integer')
    return fc.integer({ min: Number(minimum ?? 1), max: Number(maximum ?? 2 ** 31 - 1) }).map(String);
  if (format.endsWith('time')) return fc.constantFrom(...MOMENTS);
  return fc.constantFrom(KNOWN[name] ?? 'x1', KNOWN[name] ?? 'two words');
}

/** Returns values at and outside the limits. Without a minimum in the description, small values are not tested. */
function odd({ type, minimum, maximum, enum: words, format = '' }: Described): readonly string[] {
  if (words !== undefined) return ['', 'any', 'none', 'unheardOf', words[0]?.toUpperCase() ?? ''];
  if (type === 'boolean') return ['maybe', 'TRUE', '1', ''];
  if (type === 'integer') {
    const bounds = [Number(minimum ?? 2) - 1, Number(maximum ?? 2 ** 31 - 1) + 1];
    return ['many', '1.5', '1e1', '', ...bounds.map(String), minimum ?? '1', maximum ?? '2'];
  }
  if (!format.endsWith('time')) return ['', 'anything at all'];
  return ['2026-11-01', '2026-13-01T00:00:00Z', '2026-11-01T00:00:00', 'yesterday', ''];
}

/**
 * Generates queries of a method from valid values. Most queries then get a single change, which may make them invalid.
 */
export function queriesOf({ parameters = {} }: DescribedMethod): fc.Arbitrary<Query> {
  const own = Object.entries(parameters).filter(
    ([name, { location }]) => location === 'query' && !OPAQUE.includes(name),
  );
  const pairs = own.map(([name, one]) =>
    fc.tuple(fc.constant(name), good(name, one), one.required ? fc.constant(0) : fc.nat({ max: 3 })),
  );
  const base = fc
    .tuple(...pairs)
    .map((all) =>
      all.filter(([, , round]) => round === 0).map(([name, value]): [string, string] => [name, value]),
    );
  const change = fc.record({
    kind: fc.constantFrom('none', 'none', 'odd', 'odd', 'drop', 'twice', 'unknown'),
    which: fc.nat(),
    value: fc.nat(),
  });
  return fc.tuple(base, change).map(([query, { kind, which, value }]) => {
    if (kind === 'unknown') return [...query, ['unheardOf', 'x']];
    if (kind === 'twice') return [...query, ...query.slice(0, 1)];
    const [name, one] = own[which % own.length] ?? [];
    if (name === undefined || one === undefined || kind === 'none') return query;
    const others = query.filter(([other]) => other !== name);
    const values = odd(one);
    return kind === 'drop' ? others : [...others, [name, values[value % values.length] ?? '']];
  });
}
