import { completeExample } from './open-api-examples.js';
import type { Schema } from './open-api-schemas.js';

export type { Schema };

/**
 * Builds the schema of an object that has the given properties and no others. All properties are required by default.
 */
export const closed = <Properties extends Readonly<Record<string, Schema>>>(
  properties: Properties,
  required: readonly string[] = Object.keys(properties),
) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/**
 * Names an object schema for the OpenAPI document, where other schemas refer to it. Its example has the required
 * properties and those of `example`.
 */
export const named = <Named extends Schema>(
  title: string,
  schema: Named,
  example: Readonly<Record<string, unknown>> = {},
) => ({ ...schema, title, examples: [completeExample(schema, example)] });

/** Schema of a query parameter with a date or time. */
export const moment = {
  type: 'string',
  maxLength: 64,
  description: 'Date or time, for example 2026-11-20 or 2026-11-20T09:00:00Z.',
};

/** Builds the schema of the query parameter that sorts a list by time. `things`: name of the listed items. */
export const timeOrder = (things: string) => ({
  type: 'string',
  enum: ['newest', 'oldest'],
  description: `Whether the newest or the oldest ${things} are listed first. Default: newest.`,
});

/** Filters of a list of `things` by the connection, the account or the user that they belong to. */
export const belongingTo = (things: string) => ({
  connectionName: {
    type: 'string',
    maxLength: 64,
    description: `Lists only ${things} of the connection with this name.`,
  },
  accountId: {
    type: 'string',
    maxLength: 128,
    description: `Lists only ${things} of the account with this id.`,
  },
  identifier: {
    type: 'string',
    maxLength: 256,
    examples: ['ada'],
    description: `Lists only ${things} of the user with this identifier.`,
  },
});

/** Builds the query schema of a list route, with the paging parameters and additional filters. */
export const pageQuery = (filters: Readonly<Record<string, Schema>> = {}) =>
  closed(
    {
      ...filters,
      pageSize: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        default: 50,
        description: 'Maximum number of items on the page.',
      },
      pageToken: { type: 'string', maxLength: 1024, description: 'nextPageToken of the previous page.' },
    },
    [],
  );

/** Builds the response schema of a list route: one page of items and the token of the next page. */
export const pageOf = (item: Schema & { readonly title: string }) =>
  named(
    `${item.title}Page`,
    closed(
      {
        items: { type: 'array', items: item },
        nextPageToken: { type: 'string', description: 'Token of the next page; absent on the last page.' },
      },
      ['items'],
    ),
  );
