/**
 * Returns the template files of a new connector by path. They form a valid connector with sample values to replace.
 */
export function newConnector(id: string): Readonly<Record<string, object>> {
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  return {
    'connector.json': {
      id,
      title,
      description: `What the tools of ${title} do, in a sentence for people and models.`,
      api: 'Name and version of the API',
      baseUrl: 'https://api.example.com',
      auth: { type: 'api_key', inject: { header: 'Authorization', value: 'Bearer {credential}' } },
      consent: { en: 'see your items' },
      errors: [{ status: 404, advice: 'There is no such item, or the account cannot see it.' }],
    },
    'types.json': { $defs: { Item: itemShape } },
    [`tools/${id}_items_list.json`]: listTool(id),
  };
}

const itemShape = {
  type: 'object',
  description: 'An item.',
  additionalProperties: true,
  required: ['id'],
  properties: {
    id: { type: 'string', description: 'Id of the item.' },
    name: { type: ['string', 'null'], description: 'Its name.' },
  },
};

const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    query: { type: 'string', description: 'Only items with these words.', minLength: 1 },
    page_size: { type: 'integer', description: 'Items on a page.', minimum: 1, maximum: 100, default: 50 },
    cursor: { type: 'string', description: 'Where the page begins: next of the page before.', minLength: 1 },
  },
};

const output = {
  type: 'object',
  additionalProperties: true,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      description: 'The items of the page.',
      items: { $ref: 'types.json#/$defs/Item' },
    },
    next: {
      type: ['string', 'null'],
      description: 'Asks for the next page, as cursor; null after the last.',
    },
  },
};

const listTool = (id: string) => ({
  name: `${id}_items_list`,
  title: 'List items',
  description: 'What it does, when to use it, what comes back, and what to call next.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input,
      output,
      paging: { input: 'cursor', output: 'next', items: 'items' },
      request: {
        method: 'GET',
        path: '/v1/items',
        query: { q: '{query}', limit: '{page_size}', cursor: '{cursor}' },
      },
    },
  ],
  examples: [
    {
      title: 'The first page',
      input: { query: 'engine' },
      request: { method: 'GET', path: '/v1/items', query: { q: 'engine', limit: 50 } },
      reply: { items: [{ id: 'i1', name: 'Engine' }], next: null },
    },
  ],
});
