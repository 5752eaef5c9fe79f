import type { Catalog, Connector, JsonSchema, Paging, Tool, ToolVersion } from '@svc/catalog';
import { wireOutput } from '@svc/catalog/dialects';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { findConnector } from '../connections/connector.js';
import { eventTypesOf } from '../names/event-types.js';
import { type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { findTool } from '../tools/resolve-tool-call.js';
import { connectorSchema, getSchema, listSchema, summarySchema, toolSchema } from './catalogue-schemas.js';

interface ToolQuery extends PageRequest {
  readonly connector?: string;
}

interface ByName {
  readonly Params: { readonly name: string };
}

const viewConnector = (connector: Connector) => ({
  id: connector.id,
  title: connector.title,
  description: connector.description,
  api: connector.api,
  documentation: connector.documentation,
  baseUrl: connector.baseUrl,
  regions: connector.regions ?? {},
  hosts: Object.fromEntries(Object.entries(connector.hosts).map(([name, { baseUrl }]) => [name, baseUrl])),
  authType: connector.auth.type,
  scopes: 'scopes' in connector.auth ? connector.auth.scopes : [],
  credentials: 'credentials' in connector.auth ? connector.auth.credentials : [],
  logo: connector.logo,
  setup: connector.setup,
  tools: connector.tools.map(({ name }) => name),
  eventTypes: eventTypesOf(connector),
});

// Returns the paging properties of a tool without the rules that compute the input of the next page, because these
// rules are internal.
const viewPaging = ({ input, output, items, also }: Paging) => ({ input, output, items, also });

function viewVersion(catalog: Catalog, tool: Tool, version: ToolVersion) {
  return {
    schemaVersion: version.schema_version,
    toolVersion: version.tool_version,
    status: version.status,
    inputSchema: catalog.inputSchemaOf(tool, version),
    outputSchema: catalog.outputSchemaOf(tool, version),
    paging: version.paging && viewPaging(version.paging),
  };
}

const viewSummary = ({ name, connector, title, description, hints, scopes }: Tool) => ({
  name,
  connector,
  title,
  description,
  hints,
  scopes,
});

const viewTool = (catalog: Catalog, tool: Tool) => ({
  ...viewSummary(tool),
  ...viewVersion(catalog, tool, catalog.selectVersion(tool)),
});

const viewWholeTool = (catalog: Catalog, tool: Tool) => ({
  ...viewTool(catalog, tool),
  versions: tool.versions.map((version) => viewVersion(catalog, tool, version)),
  examples: tool.examples.map(({ title, input, data }) => ({ title, input, data })),
});

/**
 * Returns the catalogue with output schemas that allow unknown values, because an upstream may add values later. Each
 * schema is built only once.
 */
function withOpenOutputs(catalog: Catalog): Catalog {
  const built = new WeakMap<ToolVersion, JsonSchema>();
  return {
    ...catalog,
    outputSchemaOf: (tool, version) => {
      const schema = built.get(version) ?? wireOutput(catalog.outputSchemaOf(tool, version));
      built.set(version, schema);
      return schema;
    },
  };
}

/** Returns a page of entries, which must be sorted by their keys. */
function pageOf<Entry, View>(
  entries: Iterable<readonly [string, Entry]>,
  request: PageRequest,
  view: (entry: Entry) => View,
) {
  const [after = ''] = readPageToken(request, 1) ?? [];
  const rows = [...entries].filter(([key]) => key > after).slice(0, pageSizeOf(request) + 1);
  return toPage(rows, request, { keys: ([key]) => [key], item: ([, entry]) => view(entry) });
}

/** Lists the tools that match the query, sorted by name. */
function selectTools({ connectors, tools }: Catalog, { connector }: ToolQuery) {
  if (connector !== undefined) findConnector(connectors, connector);
  return [...tools].filter(([, tool]) => connector === undefined || tool.connector === connector);
}

const ofConnector = {
  connector: { type: 'string', description: 'Id of the connector whose tools are listed.' },
};

const LIST_CONNECTORS: FastifySchema = {
  operationId: 'listConnectors',
  summary: 'List the connectors',
  description: 'A connector describes one upstream: its authorization and its tools.',
};
const GET_CONNECTOR: FastifySchema = {
  operationId: 'getConnector',
  summary: 'Get a connector',
  description: 'The setup steps say how to register an OAuth client with the upstream.',
  errors: ['connector_not_found'],
};
const LIST_TOOLS: FastifySchema = {
  operationId: 'listTools',
  summary: 'List the tools',
  description: 'Each tool is in its current version, with its input schema and output schema.',
  errors: ['connector_not_found'],
};
const LIST_SUMMARIES: FastifySchema = {
  operationId: 'listToolSummaries',
  summary: 'List the tools without their schemas',
  description: 'A shorter list, for menus and for choosing tools.',
  errors: ['connector_not_found'],
};
const GET_TOOL: FastifySchema = {
  operationId: 'getTool',
  summary: 'Get a tool',
  description: 'The response contains all versions of the tool and its examples.',
  errors: ['tool_not_found'],
};

/** Adds routes that list the connectors and tools of the catalogue. A hook of `app` must authenticate requests. */
export function addCatalogueRoutes(app: FastifyInstance, { catalog }: { readonly catalog: Catalog }): void {
  const { connectors, tools } = catalog;
  const open = withOpenOutputs(catalog);

  app.get<{ Querystring: PageRequest }>(
    '/connectors',
    { schema: listSchema(LIST_CONNECTORS, connectorSchema) },
    async ({ query }) => pageOf(connectors, query, viewConnector),
  );
  app.get<ByName>(
    '/connectors/:name',
    {
      schema: getSchema(GET_CONNECTOR, connectorSchema, {
        description: 'Id of the connector.',
        examples: ['crm'],
      }),
    },
    async ({ params: { name } }) => viewConnector(findConnector(connectors, name)),
  );
  app.get<{ Querystring: ToolQuery }>(
    '/tools',
    { schema: listSchema(LIST_TOOLS, toolSchema, ofConnector) },
    async ({ query }) => pageOf(selectTools(catalog, query), query, (tool) => viewTool(open, tool)),
  );
  app.get<{ Querystring: ToolQuery }>(
    '/tool-summaries',
    { schema: listSchema(LIST_SUMMARIES, summarySchema, ofConnector) },
    async ({ query }) => pageOf(selectTools(catalog, query), query, viewSummary),
  );
  app.get<ByName>(
    '/tools/:name',
    {
      schema: getSchema(GET_TOOL, toolSchema, {
        description: 'Name of the tool.',
        examples: ['crm_list_contacts'],
      }),
    },
    async ({ params: { name } }) => viewWholeTool(open, findTool({ tools }, name)),
  );
}
