import { isJsonObject } from '@svc/catalog';

// Matches ids of this service. Other values may be personal data, which the record of a failed request must not
// contain.
const ID = /^(?:acct|appr|audit|conn|dlv|ep|evt|exec|grant|sub|tok|watch)_[0-9a-f]{24,32}$/;

const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

/** Lists the ids of objects in parts of a request, such as its path parameters and the first level of its body. */
export const namedObjects = (...parts: readonly unknown[]): readonly string[] => [
  ...new Set(parts.flatMap((part) => (isJsonObject(part) ? Object.values(part).filter(isId) : []))),
];
