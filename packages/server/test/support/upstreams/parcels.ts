import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';

type Json = Readonly<Record<string, unknown>>;

export const API_KEY = 'key-of-the-parcel-service';

const closed = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const open = (properties: Json, required: readonly string[] = []) => ({
  ...closed(properties, required),
  additionalProperties: true,
});
const text = { type: 'string', description: 'As it stands on the parcel.' };
const grams = { type: 'integer', minimum: 1, description: 'Weight in grams.' };

const connector = {
  id: 'parcels',
  title: 'Parcels',
  description: 'Parcels of a shop: list them, and send new ones.',
  api: 'Parcel API v1',
  baseUrl: 'https://parcels.example.com',
  auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
  webhooks: {
    create: { tool: 'parcels_hook_create', url: 'target', trigger: 'event', id: '/hook/id' },
    delete: { tool: 'parcels_hook_delete', id: 'hook' },
    deliveryId: '/delivery',
    triggers: {
      parcel_sent: {
        title: 'Parcel sent',
        description: 'A parcel was sent.',
        payload: open({ delivery: { type: 'string' }, parcel: { $ref: 'types.json#/$defs/Parcel' } }, [
          'parcel',
        ]),
        example: { delivery: 'd1', parcel: { id: 'p1', to: 'Ada', grams: 400 } },
      },
    },
  },
};

const types = {
  $defs: {
    Parcel: open({ id: text, to: text, grams }, ['id', 'to', 'grams']),
    ParcelPage: open(
      { parcels: { type: 'array', items: { $ref: '#/$defs/Parcel' } }, next: { type: ['string', 'null'] } },
      ['parcels'],
    ),
  },
};

const list = {
  name: 'parcels_list',
  title: 'List parcels',
  description: 'List the parcels of the shop, the oldest first, one page at a time.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: closed({
        cursor: text,
        page_size: { type: 'integer', description: 'How many.', minimum: 1, maximum: 10, default: 2 },
      }),
      output: { $ref: 'types.json#/$defs/ParcelPage' },
      paging: { input: 'cursor', output: 'next', items: 'parcels' },
      request: { method: 'GET', path: '/v1/parcels', query: { cursor: '{cursor}', limit: '{page_size}' } },
    },
  ],
  examples: [
    {
      title: 'The first page',
      input: {},
      request: { method: 'GET', path: '/v1/parcels', query: { limit: 2 } },
      reply: { parcels: [], next: null },
      data: { parcels: [], next: null },
    },
  ],
};

const sending = {
  tool_version: '1.0.0',
  output: { $ref: 'types.json#/$defs/Parcel' },
};

const send = {
  name: 'parcels_send',
  title: 'Send a parcel',
  description: 'Send a parcel to an address. Two calls send two parcels.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  versionInputs: true,
  versions: [
    {
      ...sending,
      schema_version: '2.0.0',
      status: 'current',
      input: closed({ to: text, grams }, ['to', 'grams']),
      request: { method: 'POST', path: '/v1/parcels', body: { to: '{to}', grams: '{grams}' } },
    },
    {
      ...sending,
      schema_version: '1.0.0',
      status: 'deprecated',
      input: closed({ address: text, weight: grams }, ['address', 'weight']),
      request: { method: 'POST', path: '/v1/parcels', body: { to: '{address}', grams: '{weight}' } },
    },
  ],
  examples: [
    {
      title: 'A book',
      input: { to: 'Ada', grams: 400 },
      request: { method: 'POST', path: '/v1/parcels', body: { to: 'Ada', grams: 400 } },
      reply: { id: 'p1', to: 'Ada', grams: 400 },
      data: { id: 'p1', to: 'Ada', grams: 400 },
    },
  ],
};

const hookCreate = {
  name: 'parcels_hook_create',
  title: 'Create a webhook',
  description: 'Create a webhook that is called when a parcel is sent.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: closed({ event: text, target: text }, ['event', 'target']),
      output: open({ hook: open({ id: text }, ['id']) }, ['hook']),
      request: { method: 'POST', path: '/v1/hooks', body: { event: '{event}', target: '{target}' } },
    },
  ],
  examples: [
    {
      title: 'A webhook for sent parcels',
      input: { event: 'parcel_sent', target: 'https://shop.example.com/hook' },
      request: {
        method: 'POST',
        path: '/v1/hooks',
        body: { event: 'parcel_sent', target: 'https://shop.example.com/hook' },
      },
      reply: { hook: { id: 'h1' } },
      data: { hook: { id: 'h1' } },
    },
  ],
};

const hookDelete = {
  name: 'parcels_hook_delete',
  title: 'Delete a webhook',
  description: 'Delete a webhook, so that it is no longer called.',
  hints: { readOnly: false, destructive: true, idempotent: true },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: closed({ hook: text }, ['hook']),
      output: { type: ['object', 'null'], additionalProperties: true },
      request: { method: 'DELETE', path: '/v1/hooks/{hook}' },
    },
  ],
  examples: [
    {
      title: 'Delete one webhook',
      input: { hook: 'h1' },
      request: { method: 'DELETE', path: '/v1/hooks/h1' },
      reply: {},
      data: {},
    },
  ],
};

/** Files of the connector `parcels`, which is not part of the project, by path. */
export const parcels: Readonly<Record<string, unknown>> = {
  'parcels/connector.json': connector,
  'parcels/types.json': types,
  'parcels/tools/parcels_list.json': list,
  'parcels/tools/parcels_send.json': send,
  'parcels/tools/parcels_hook_create.json': hookCreate,
  'parcels/tools/parcels_hook_delete.json': hookDelete,
};

/** Writes files below a folder: strings as they are, other values as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

interface Parcel {
  readonly id: string;
  readonly to: string;
  readonly grams: number;
}

export interface ParcelService {
  readonly url: string;
  readonly parcels: readonly Parcel[];
  /** Addresses of the webhooks, by their ids. */
  readonly hooks: ReadonlyMap<string, string>;
  readonly stop: () => void;
}

async function readJson<Body = Omit<Parcel, 'id'>>(request: IncomingMessage): Promise<Body> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

/** Starts the upstream of `parcels`: five parcels, paginated, behind a required API key. */
export async function startParcelService(): Promise<ParcelService> {
  const parcels: Parcel[] = [1, 2, 3, 4, 5].map((number) => ({
    id: `p${number}`,
    to: 'Ada',
    grams: number * 100,
  }));

  const hooks = new Map<string, string>();

  async function respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://parcels');
    if (request.headers['x-api-key'] !== API_KEY) return { status: 401, body: { message: 'unknown key' } };
    if (pathname === '/v1/hooks') {
      const id = `h${hooks.size + 1}`;
      hooks.set(id, (await readJson<{ target: string }>(request)).target);
      return { status: 201, body: { hook: { id } } };
    }
    if (request.method === 'DELETE')
      return hooks.delete(pathname.slice('/v1/hooks/'.length))
        ? { status: 200, body: {} }
        : { status: 404, body: { message: 'no such webhook' } };
    if (pathname !== '/v1/parcels') return { status: 404, body: { message: 'no such page' } };
    if (request.method === 'POST') {
      const parcel = { id: `p${parcels.length + 1}`, ...(await readJson(request)) };
      parcels.push(parcel);
      return { status: 201, body: parcel };
    }
    const [start, limit] = [
      Number(searchParams.get('cursor') ?? 0),
      Number(searchParams.get('limit') ?? 100),
    ];
    const end = start + limit;
    return {
      status: 200,
      body: { parcels: parcels.slice(start, end), next: end < parcels.length ? String(end) : null },
    };
  }

  // Keep-alive has no timeout, because a blocked test process would close connections on which a request has already
  // arrived.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { status, body } = await respond(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, parcels, hooks, stop };
}
