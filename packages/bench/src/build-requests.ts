import { PEER_ACCOUNT } from './peers/settings.ts';

// What a plain client sends; JSON.
const headers = (token: string): string =>
  `host: localhost\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: bench\r\n`;

export const get = (path: string, token: string): string => `GET ${path} HTTP/1.1\r\n${headers(token)}\r\n`;

/** As an operator sends it who is signed in. */
export const operated = (path: string, cookie: string): string =>
  `GET /operator/v1${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`;

export const proxied = (path: string, token: string, account = PEER_ACCOUNT): string =>
  get(`/v1/proxy/${account}${path}`, token);

function post(path: string, own: string, body: string): string {
  const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${own}${framing}\r\n${body}`;
}

/** Its binding is JSON alone: one GET with a query. */
const TOOL = {
  name: 'convintel_questions_get',
  input: { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' },
};

export function toolCall(connectedAccountId: string, token: string): string {
  const body = JSON.stringify({ connectedAccountId, toolInput: TOOL.input });
  return post(`/v1/tools/${TOOL.name}/execute`, headers(token), body);
}

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The head and the body of a message of MCP. */
export function mcpMessage(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const name = params['name'];
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  };
}

function mcp(path: string, token: string, { headers: own, body }: ReturnType<typeof mcpMessage>): string {
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `host: localhost\r\nauthorization: Bearer ${token}\r\nuser-agent: bench\r\n${lines.join('')}`;
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** The same tool as an agent calls it. */
export const mcpCall = (path: string, token: string): string =>
  mcp(path, token, mcpMessage('tools/call', { name: TOOL.name, arguments: TOOL.input }));

export const mcpList = (path: string, token: string): string => mcp(path, token, mcpMessage('tools/list'));

/** A sign-in of an operator, as a script guesses at it. */
export function guess(origin: string): string {
  const body = JSON.stringify({ name: 'admin', password: 'not the password of anybody' });
  return post('/operator/v1/session', `host: ${new URL(origin).host}\r\norigin: ${origin}\r\n`, body);
}
