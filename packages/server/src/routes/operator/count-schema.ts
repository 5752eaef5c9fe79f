import type { ErrorCode } from '../../errors.js';
import { closed, named, type Schema } from '../../listener/list-schema.js';

const counted = named(
  'ListCount',
  closed({
    count: { type: 'integer', description: 'Number of items, at most 10,000.' },
    more: { type: 'boolean', description: 'True if there may be more items than `count`.' },
  }),
  { count: 10_000, more: true },
);

/** Describes a list whose items an operation counts. */
export interface Counted {
  /** End of the operation id, such as `Approvals`. */
  readonly operation: string;
  readonly tag: string;
  /** Name of the items in texts, such as `approvals`. */
  readonly things: string;
  /** Filters of the list. */
  readonly filters?: Readonly<Record<string, Schema>>;
  /** Error codes that the operation can return because of its filters. */
  readonly errors?: readonly ErrorCode[];
}

/** Builds the schema of an operation that counts the items of a list. */
export const countSchema = ({ operation, tag, things, filters, errors }: Counted) => ({
  operationId: `count${operation}`,
  tags: [tag],
  summary: `Count ${things}`,
  description: `Counts the ${things}${filters === undefined ? '' : ' that match the filters'}, up to 10,000.`,
  ...(errors && { errors }),
  ...(filters && { querystring: closed(filters, []) }),
  response: { 200: counted },
});
