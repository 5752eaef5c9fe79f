import type { FastifySchema } from 'fastify';
import { closed, named, pageOf, pageQuery, type Schema } from '../listener/list-schema.js';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const urls = { type: 'object', additionalProperties: text };
const open = { type: 'object', additionalProperties: true };

const paging = named(
  'Paging',
  closed({ input: text, output: text, items: text, also: urls }, ['output', 'items']),
  { input: 'page_token', output: 'next_page_token', items: 'events' },
);
const hints = named(
  'ToolHints',
  closed(
    Object.fromEntries(
      ['readOnly', 'destructive', 'idempotent', 'longRunning'].map((name) => [name, { type: 'boolean' }]),
    ),
    ['readOnly', 'destructive', 'idempotent', 'longRunning'],
  ),
);
const versionProperties = {
  schemaVersion: text,
  toolVersion: text,
  status: { type: 'string', enum: ['current', 'supported', 'deprecated'] },
  inputSchema: { description: 'JSON Schema (2020-12) of `toolInput`.', ...open },
  outputSchema: {
    description:
      'JSON Schema (2020-12) of `data`, the result of the tool. The upstream may add values, so the schema lists the known values in `examples`, not in `enum`.',
  },
  paging,
};
const versionRequired = ['schemaVersion', 'toolVersion', 'status', 'inputSchema', 'outputSchema'];

export const connectorSchema = named(
  'Connector',
  closed(
    {
      id: text,
      title: text,
      description: text,
      api: text,
      documentation: text,
      baseUrl: text,
      regions: { description: 'Base URLs of the upstream by region.', ...urls },
      hosts: { description: 'Base URLs of the other hosts that the connector calls, by name.', ...urls },
      authType: { type: 'string', enum: ['oauth2', 'api_key', 'bearer_token', 'mcp_oauth'] },
      scopes: {
        type: 'array',
        items: closed({ name: text, description: text, default: { type: 'boolean' } }, [
          'name',
          'description',
          'default',
        ]),
      },
      credentials: {
        description:
          'Additional credentials that an account may have beside its key or token, for other hosts of the connector.',
        type: 'array',
        items: closed({ name: text, title: text, description: text }),
      },
      logo: { description: 'Logo of the upstream as an SVG document.', type: 'string' },
      setup: { description: "One-time setup steps in the upstream's console, in Markdown.", type: 'string' },
      tools: texts,
      eventTypes: {
        ...texts,
        description:
          'Types of the events that webhooks from the upstream cause. A webhook endpoint can get them.',
      },
    },
    [
      'id',
      'title',
      'description',
      'api',
      'baseUrl',
      'regions',
      'hosts',
      'authType',
      'scopes',
      'credentials',
      'tools',
      'eventTypes',
    ],
  ),
  {
    id: 'crm',
    title: 'CRM',
    description: 'Contacts and companies.',
    api: 'CRM API v3',
    regions: {},
    hosts: {},
    scopes: [{ name: 'contacts.read', description: 'Reads contacts.', default: true }],
    credentials: [],
    tools: ['crm_list_contacts'],
    eventTypes: ['crm.contact_changed'],
  },
);

const summaryProperties = {
  name: text,
  connector: text,
  title: text,
  description: text,
  hints,
  scopes: texts,
};

const TOOL = {
  name: 'crm_list_contacts',
  title: 'List contacts',
  description: 'Lists the contacts of an account.',
  hints: { readOnly: true, destructive: false, idempotent: true, longRunning: false },
  scopes: ['contacts.read'],
};

export const summarySchema = named('ToolSummary', closed(summaryProperties), TOOL);

export const toolSchema = named(
  'Tool',
  closed(
    {
      ...summaryProperties,
      ...versionProperties,
      versions: {
        description: 'All versions of the tool. Only in the response for a single tool.',
        type: 'array',
        items: named('ToolVersion', closed(versionProperties, versionRequired), {
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
        }),
      },
      examples: {
        description: 'Example calls of the tool. Only in the response for a single tool.',
        type: 'array',
        items: closed({ title: text, input: open, data: {} }, ['title', 'input']),
      },
    },
    [...Object.keys(summaryProperties), ...versionRequired],
  ),
  { ...TOOL, inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
);

/** Builds the schema of a catalogue route that lists entries in pages. */
export const listSchema = (
  texts: FastifySchema,
  item: Schema & { readonly title: string },
  filters: Readonly<Record<string, Schema>> = {},
) => ({
  tags: ['catalogue'],
  ...texts,
  querystring: pageQuery(filters),
  response: { 200: pageOf(item) },
});

/** Builds the schema of a catalogue route that returns one entry by its name. */
export const getSchema = (texts: FastifySchema, entry: Schema, name: Schema) => ({
  tags: ['catalogue'],
  ...texts,
  params: closed({ name: { type: 'string', maxLength: 128, ...name } }),
  response: { 200: entry },
});
