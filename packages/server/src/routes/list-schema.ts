export type Schema = Readonly<Record<string, unknown>>;

/** Schema of an object with these properties and no others. */
export const closed = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** Query parameter with a point in time. */
export const moment = {
  type: 'string',
  maxLength: 64,
  description: 'Date or time, for example 2026-11-20 or 2026-11-20T09:00:00Z.',
};

/** Query of a list: the page, and filters. */
export const pageQuery = (filters: Readonly<Record<string, Schema>> = {}) =>
  closed(
    {
      ...filters,
      pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      pageToken: { type: 'string', maxLength: 1024, description: 'nextPageToken of the previous page.' },
    },
    [],
  );

/** One page of a list. */
export const pageOf = (item: Schema) =>
  closed({ items: { type: 'array', items: item }, nextPageToken: { type: 'string' } }, ['items']);
