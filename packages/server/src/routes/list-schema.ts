export type Schema = Readonly<Record<string, unknown>>;

/** An object that takes these properties and no other. */
export const closed = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** A point in time in a query. */
export const moment = {
  type: 'string',
  maxLength: 64,
  description: 'Such as 2026-11-20 or 2026-11-20T09:00:00Z.',
};

/** The query of a list: a page, and what filters it. */
export const pageQuery = (filters: Readonly<Record<string, Schema>> = {}) =>
  closed(
    {
      ...filters,
      pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      pageToken: { type: 'string', maxLength: 1024, description: 'nextPageToken of the page before.' },
    },
    [],
  );

/** One page of a list. */
export const pageOf = (item: Schema) =>
  closed({ items: { type: 'array', items: item }, nextPageToken: { type: 'string' } }, ['items']);
