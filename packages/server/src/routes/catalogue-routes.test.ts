import { loadCatalog } from '@svc/catalog';
import { wireOutput } from '@svc/catalog/dialects';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { addCatalogueRoutes } from './catalogue-routes.js';

const catalog = await loadCatalog();
const app = fastify();
app.setErrorHandler((error, _, reply) =>
  error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
);
await app.register(async (own) => addCatalogueRoutes(own, { catalog }), { prefix: '/v1' });
const get = async (url: string) => {
  const reply = await app.inject(url);
  return { status: reply.statusCode, body: reply.json() };
};

async function readAll(url: string): Promise<{ name?: string; id?: string }[]> {
  const items = [];
  let next = '';
  do {
    const { body } = await get(`${url}${next}`);
    items.push(...body.items);
    next = body.nextPageToken ? `&pageToken=${body.nextPageToken}` : '';
  } while (next);
  return items;
}

test('the connectors are listed in pages', async () => {
  const items = await readAll('/v1/connectors?pageSize=1');
  expect(items.map(({ id }) => id)).toEqual([...catalog.connectors.keys()]);
});

test('the tools are listed in pages in their current version', async () => {
  const items = await readAll('/v1/tools?pageSize=7');
  expect(items.map(({ name }) => name)).toEqual([...catalog.tools.keys()]);
});

test('the tool summaries are listed without schemas', async () => {
  const items = await readAll('/v1/tool-summaries?pageSize=50');
  expect(items.map(({ name }) => name)).toEqual([...catalog.tools.keys()]);
  for (const item of items) {
    const { title, description, hints, scopes } = catalog.tools.get(item.name ?? '') ?? {};
    expect(item).toEqual({
      name: item.name,
      connector: expect.any(String),
      title,
      description,
      hints,
      scopes,
    });
  }
});

test.each([...catalog.connectors.values()])(
  'the connector $id is returned without its authentication settings',
  async ({ id, tools, title }) => {
    const { body } = await get(`/v1/connectors/${id}`);
    expect(body).toMatchObject({ id, title, tools: tools.map(({ name }) => name) });
    expect(body).not.toHaveProperty('auth');
    expect((await readAll(`/v1/tools?connector=${id}&pageSize=100`)).length).toBe(tools.length);
  },
);

test.each([...catalog.tools.values()])('$name is returned with self-contained schemas', async (tool) => {
  const { body } = await get(`/v1/tools/${tool.name}`);
  const version = catalog.selectVersion(tool);
  expect(body).toMatchObject({
    name: tool.name,
    schemaVersion: version.schema_version,
    toolVersion: version.tool_version,
    inputSchema: catalog.inputSchemaOf(tool, version),
    outputSchema: wireOutput(catalog.outputSchemaOf(tool, version)),
  });
  expect(body.versions).toHaveLength(tool.versions.length);
  expect(JSON.stringify(body)).not.toContain('types.json#');
});

test.each([
  { url: '/v1/connectors/nothing', code: 'connector_not_found' },
  { url: '/v1/tools/nothing', code: 'tool_not_found' },
  { url: '/v1/tools?connector=nothing', code: 'connector_not_found' },
  { url: '/v1/tools/toString', code: 'tool_not_found' },
])('$url gets 404 $code', async ({ url, code }) => {
  expect(await get(url)).toEqual({ status: 404, body: { code } });
});

test.each(['/v1/tools?pageSize=0', '/v1/tools?pageSize=201', '/v1/tools?pageToken=nonsense'])(
  '%s is refused',
  async (url) => {
    expect((await get(url)).status).toBe(400);
  },
);
