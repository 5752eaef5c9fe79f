/** Response of an MCP endpoint: HTTP status and headers, the JSON-RPC response, and the notifications before it. */
export interface RpcResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  readonly message: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly notifications: readonly any[];
}

export interface McpSession {
  readonly id: string;
  /** Server information from the `initialize` response. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly server: any;
  request(method: string, params?: object): Promise<RpcResponse>;
  call(name: string, args?: object): Promise<RpcResponse>;
  /** Calls a tool and returns the structured content of its result. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  result(name: string, args?: object): Promise<any>;
}

const VERSION = '2025-11-25';

export async function post(
  url: string,
  token: string | undefined,
  { message, headers = {} }: { message: object; headers?: Record<string, string> },
): Promise<RpcResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const messages = readMessages(await response.text(), type);
  return {
    status: response.status,
    headers: response.headers,
    type,
    message: messages.at(-1),
    notifications: messages.slice(0, -1),
  };
}

function readMessages(text: string, type: string): unknown[] {
  if (type !== 'text/event-stream') return text === '' ? [] : [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

export const initialize = (url: string, token: string | undefined): Promise<RpcResponse> =>
  post(url, token, {
    message: {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
  });

/** Opens an MCP session as a client does: `initialize`, then the `initialized` notification. */
export async function openSession(url: string, token: string): Promise<McpSession> {
  const { headers, message } = await initialize(url, token);
  const id = headers.get('mcp-session-id') ?? '';
  const own = { 'mcp-session-id': id, 'mcp-protocol-version': VERSION };
  await post(url, token, { message: { method: 'notifications/initialized' }, headers: own });
  let count = 0;
  const request: McpSession['request'] = (method, params = {}) => {
    count += 1;
    const meta = { _meta: { progressToken: count } };
    return post(url, token, {
      message: { id: count, method, params: { ...params, ...meta } },
      headers: own,
    });
  };
  const call: McpSession['call'] = (name, args = {}) => request('tools/call', { name, arguments: args });
  return {
    id,
    server: message.result,
    request,
    call,
    result: async (name, args) => (await call(name, args)).message.result.structuredContent,
  };
}
