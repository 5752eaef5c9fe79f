import { PEER_ACCOUNT } from './peers/settings.ts';

// Builds the raw HTTP headers that a simple JSON client with a bearer token sends.
const headers = (token: string): string =>
  `host: localhost\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: bench\r\n`;

export const buildGet = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\n${headers(token)}\r\n`;

/** Builds a raw GET request to the operator API, with an operator's session cookie. */
export const buildOperatorGet = (path: string, cookie: string): string =>
  `GET /operator/v1${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`;

export const buildProxyGet = (path: string, token: string, account = PEER_ACCOUNT): string =>
  buildGet(`/v1/proxy/${account}${path}`, token);

function buildPost(path: string, head: string, body: string): string {
  const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${head}${framing}\r\n${body}`;
}

/** Tool that the benchmark calls. It sends one GET request with a query to the upstream, and needs no handler code. */
const TOOL = {
  name: 'convintel_questions_get',
  input: { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' },
};

export function buildToolCall(connectedAccountId: string, token: string): string {
  const body = JSON.stringify({ connectedAccountId, toolInput: TOOL.input });
  return buildPost(`/v1/tools/${TOOL.name}/execute`, headers(token), body);
}

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Builds the headers and the body of an MCP message. */
export function buildMcpMessage(method: string, params: Readonly<Record<string, unknown>> = {}) {
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

function buildMcpPost(path: string, token: string, message: ReturnType<typeof buildMcpMessage>): string {
  const lines = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `host: localhost\r\nauthorization: Bearer ${token}\r\nuser-agent: bench\r\n${lines.join('')}`;
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${message.body.length}\r\n\r\n${message.body}`;
}

/** Builds the raw MCP request that calls the same tool as `buildToolCall`, which calls it over REST. */
export const buildMcpCall = (path: string, token: string): string =>
  buildMcpPost(path, token, buildMcpMessage('tools/call', { name: TOOL.name, arguments: TOOL.input }));

export const buildMcpList = (path: string, token: string): string =>
  buildMcpPost(path, token, buildMcpMessage('tools/list'));

/** Builds an operator sign-in request with a wrong password. */
export function buildPasswordGuess(origin: string): string {
  const body = JSON.stringify({ name: 'admin', password: 'not the password of anybody' });
  return buildPost('/operator/v1/session', `host: ${new URL(origin).host}\r\norigin: ${origin}\r\n`, body);
}
