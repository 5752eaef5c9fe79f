/**
 * Returns the template files of a new connector by path. They form a valid connector with sample values to replace.
 */
export function newConnector(id: string): Readonly<Record<string, object>> {
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  return {
    'connector.json': {
      id,
      title,
      description: `Say in one sentence what the tools of ${title} do, for people and models.`,
      api: 'Name and version of the API',
      baseUrl: 'https://api.example.com',
      auth: { type: 'api_key', inject: { header: 'Authorization', value: 'Bearer {credential}' } },
      consent: { en: 'See your items', de: 'Ihre Einträge sehen' },
      errors: [
        { status: 404, advice: 'The item does not exist, or the account cannot see it. Correct the id.' },
      ],
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
    name: { type: ['string', 'null'], description: 'Name of the item.' },
  },
};

const input = {
  type: 'object',
  additionalProperties: false,
  properties: {
    query: { type: 'string', description: 'Words that the items must contain.', minLength: 1 },
    page_size: {
      type: 'integer',
      description: 'Maximum number of items on a page.',
      minimum: 1,
      maximum: 100,
      default: 50,
    },
    cursor: {
      type: 'string',
      description: 'Start of the page: the value of next on the previous page.',
      minLength: 1,
    },
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
      description: 'Value of cursor for the next page; null on the last page.',
    },
  },
};

const listTool = (id: string) => ({
  name: `${id}_items_list`,
  title: 'List items',
  description:
    'Say what the tool does, when to use the tool, what the tool returns, and which tool to call next.',
  phrases: ['list my items', 'show the items', 'find an item'],
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
      title: 'The first page of items',
      input: { query: 'engine' },
      request: { method: 'GET', path: '/v1/items', query: { q: 'engine', limit: 50 } },
      reply: { items: [{ id: 'i1', name: 'Engine' }], next: null },
    },
  ],
});
