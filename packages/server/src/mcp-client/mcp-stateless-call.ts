import type { CallToolResult, Client, InputRequiredResult } from '@modelcontextprotocol/client';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import { type McpRequestOptions, toLibraryOptions } from './mcp-client.js';
import { toMcpResult } from './mcp-result.js';
import type { McpCall, McpResult } from './mcp-tool.js';

// `onprogress` requests progress messages. They keep proxies between this service and the server from closing a quiet
// connection.
const REPORTED = { onprogress: () => undefined };
const MAX_ROUNDS = 10;
const HTTP_OK = 200;

const failed = (message: string, body: unknown): ServiceError =>
  new ServiceError('upstream_failed', message, { status: HTTP_OK, body });

// True if the MCP server requests input instead of returning a result. Checking `resultType` is enough, because the MCP
// library has already validated the message.
const isInputRequired = (result: CallToolResult | InputRequiredResult): result is InputRequiredResult =>
  result['resultType'] === 'input_required';

/**
 * Returns the client's response to an input request that the MCP server made during a tool call. Forms are cancelled,
 * because no user is present while a tool runs.
 */
function responseTo(request: { readonly method: string }, result: InputRequiredResult): object {
  if (request.method === 'elicitation/create') return { action: 'cancel' };
  throw failed(
    `The MCP server requires the MCP method ${request.method}, which the service does not support. Use another tool.`,
    result,
  );
}

/**
 * Returns the parameters of the repeated tool call after the MCP server requested input: our responses to its input
 * requests, and the server's state from its result.
 */
function nextRoundOf(result: InputRequiredResult) {
  const { inputRequests, requestState } = result;
  const responses = Object.entries(inputRequests ?? {}).map(([key, request]) => [
    key,
    responseTo(request, result),
  ]);
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(requestState !== undefined && { requestState }),
  };
}

/**
 * Calls a tool of an MCP server without sessions. While the server requests input, repeats the call with responses to
 * its requests, at most `MAX_ROUNDS` times.
 */
export async function callStateless(
  client: Client,
  { name, args, definition }: McpCall,
  options: McpRequestOptions,
): Promise<McpResult> {
  const toolDefinition = definition && {
    name,
    inputSchema: { ...definition.inputSchema, type: 'object' as const },
  };
  let round = {};
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    const result: CallToolResult | InputRequiredResult = await client.callTool(
      { name, arguments: args, ...round },
      {
        ...toLibraryOptions(options),
        ...REPORTED,
        allowInputRequired: true,
        ...(toolDefinition && { toolDefinition }),
      },
    );
    if (!isInputRequired(result)) {
      const complete = toMcpResult(result);
      if (complete) return complete;
      throw failed(`The MCP server responded to a tool call without a tool result. ${RETRY_ADVICE}`, result);
    }
    round = nextRoundOf(result);
  }
  throw failed(
    `The MCP server responded to the tool call ${MAX_ROUNDS} times with a request for user input, and never with a result. The service cannot ask the user for input during a call. Use another tool.`,
    null,
  );
}
