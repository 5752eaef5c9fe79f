/** What the way to the network has to know of a message that is sent. */
export interface McpMessage {
  /** `undefined` in a notification and in no message. */
  readonly requestId: number | string | undefined;
  /** The method, and the tool that it is about, such as `tools/call search`. */
  readonly operation: string;
  /** It belongs to the revision without sessions, whose headers say what its body says. */
  readonly isStateless: boolean;
  /** The question for the revisions of the server, which old servers refuse. */
  readonly isProbe: boolean;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function requestIdIn({ id, method }: Readonly<Record<string, unknown>>): number | string | undefined {
  if (method === undefined) return undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

export function readMcpMessage(body: RequestInit['body'], headers: Headers): McpMessage {
  const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const message = isObject(parsed) ? parsed : {};
  const params = isObject(message['params']) ? message['params'] : {};
  return {
    requestId: requestIdIn(message),
    operation: [message['method'], params['name']].filter((part) => typeof part === 'string').join(' '),
    isStateless: headers.has('mcp-method'),
    isProbe: message['method'] === 'server/discover',
  };
}
