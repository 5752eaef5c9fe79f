import { expect, test } from 'vitest';
import { createApp } from '../../test/support/service/create-app.js';
import { addJsonBody } from '../routes/json-body.js';
import { JSON_BODY } from './body-limits.js';
import { closed } from './list-schema.js';
import { createRequestValidators } from './request-validator.js';

const schema = closed({ name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } });

const createPost = async () => {
  const app = await createApp(async (own) => {
    addJsonBody(own);
    own.post('/', { schema: { body: schema } }, async () => 'taken');
  });
  return (payload: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
};

/** Body with 4,990 unknown keys, a little below the limit of keys per body. */
const unknownKeys = () => `{${Array.from({ length: 4990 }, (_, index) => `"${index}":1`).join()}}`;

test.each([
  { title: 'a body full of unknown keys', body: unknownKeys() },
  { title: 'an unknown key of 1 MiB', body: JSON.stringify({ ['k'.repeat(JSON_BODY - 16)]: 1 }) },
  { title: 'a list of 49,000 wrong items', body: `{"name":"a","tags":[1${',1'.repeat(49_000)}]}` },
  { title: 'a list of 900 wrong items', body: `{"tags":[1${',1'.repeat(900)}]}` },
])('A10: the response to $title has at most 20 problems and no long names', async ({ body }) => {
  const reply = await (await createPost())(body);
  const { error } = reply.json();
  expect([reply.statusCode, error.code]).toEqual([400, 'invalid_request']);
  expect(error.details.errors.length).toBeLessThanOrEqual(20);
  expect(reply.payload.length).toBeLessThan(8192);
});

test('A10: validation of a body with thousands of errors stops at the first one', () => {
  const { error } = createRequestValidators()(schema, 'body')(JSON.parse(unknownKeys()));
  expect(error).toHaveLength(1);
});

test('a body with few errors gets all of them', () => {
  const { error } = createRequestValidators()(schema, 'body')({ nmae: 'a', tags: [1] });
  expect(error?.map(({ rule }) => rule)).toEqual(['required', 'additionalProperties', 'type']);
});

test('numbers are converted in a query and not in a body', () => {
  const compile = createRequestValidators();
  const page = closed({ pageSize: { type: 'integer' } });
  expect(compile(page, 'querystring')({ pageSize: '7' }).error).toBeUndefined();
  expect(compile(page, 'body')({ pageSize: '7' }).error).toHaveLength(1);
});
