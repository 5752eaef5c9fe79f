export type Schema = Readonly<Record<string, unknown>>;

/** Builds the schema of an object that has only these properties. All properties are required by default. */
export const closed = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** Schema of a query parameter with a date or time. */
export const moment = {
  type: 'string',
  maxLength: 64,
  description: 'Date or time, for example 2026-11-20 or 2026-11-20T09:00:00Z.',
};

/** Builds the query schema of a list route, with the paging parameters and additional filters. */
export const pageQuery = (filters: Readonly<Record<string, Schema>> = {}) =>
  closed(
    {
      ...filters,
      pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      pageToken: { type: 'string', maxLength: 1024, description: 'nextPageToken of the previous page.' },
    },
    [],
  );

/** Builds the response schema of a list route: one page of items and the token of the next page. */
export const pageOf = (item: Schema) =>
  closed({ items: { type: 'array', items: item }, nextPageToken: { type: 'string' } }, ['items']);
