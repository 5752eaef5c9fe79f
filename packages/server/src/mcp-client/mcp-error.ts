import type { Connector } from '@svc/catalog';
import { cutText } from '@svc/catalog';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import { NO_RESPONSE } from './mcp-stream.js';
import type { McpResult } from './mcp-tool.js';

// Status in the error details when an MCP server responds with HTTP 200 and the body contains a failure.
const HTTP_OK = 200;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
// Codes of JSON-RPC errors after which the call may have taken effect: internal error, and the codes by which MCP
// servers report a closed connection or a timeout.
const FAILURES = [-32_603, -32_000, -32_001];

// Maximum characters of the MCP server's text in an error message, because people read the message and regular
// expressions search it.
const MAX_CHARACTERS = 4096;

const cut = (text: string): string => cutText(text, MAX_CHARACTERS);

/**
 * Returns the first sentence of a message of the MCP library. Further sentences are advice, which does not fit here.
 */
function sentenceOf(message: string): string {
  const [first = ''] = cut(message).split(/\.(?:\s|$)/);
  return `${first}.`;
}

/** Matches the message of the MCP library for a server whose protocol version the library does not know. */
const OTHER_VERSION = /^Server's protocol version is not supported: (.{1,100})/;

/** Returns what is wrong with a response that the MCP library refused, and the advice. */
function explainRefused(message: string, title: string): string {
  const version = OTHER_VERSION.exec(message)?.[1];
  return version === undefined
    ? `The service cannot use the response of the MCP server ${title}: ${sentenceOf(message)} ${RETRY_ADVICE} If a retry fails too, report the error to the operator of ${title}.`
    : `The MCP server ${title} uses the MCP protocol version ${version}, which the service does not support. Ask the operator of the service to update it.`;
}

/** Returns the error for an MCP tool result with `isError: true`. The text of the result becomes the error message. */
export function mcpToolFailed(result: McpResult, { title }: Connector): ServiceError {
  const said = result.content.map((block) => block.text ?? '').join('\n');
  const text = cut(said.trim());
  return new ServiceError(
    'upstream_failed',
    text === ''
      ? `${title} reported that the call failed, without a reason. Change the input, or retry later.`
      : `${title} reported: ${text}`,
    { status: HTTP_OK, body: result, reason: 'call_rejected' },
  );
}

/** Returns the error for a tool that the MCP server does not list, or lists with invalid `x-mcp-header` annotations. */
export function mcpToolUnknown(name: string, { title }: Connector): ServiceError {
  const message = `Tool ${name} not found`;
  return new ServiceError(
    'upstream_failed',
    `${title} no longer has a usable tool "${name}". Use another tool.`,
    {
      status: HTTP_OK,
      body: { code: INVALID_PARAMS, message },
      reason: 'call_rejected',
    },
  );
}

/**
 * Converts errors of the MCP library to a `ServiceError`. Returns a `ServiceError` and values that are no `Error`
 * unchanged.
 */
export function toMcpError(error: unknown, { title }: Connector): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  const { message } = error;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'number') {
    return new ServiceError(
      'upstream_failed',
      explainRefused(message, title),
      { status: HTTP_OK, body: { code, message: sentenceOf(message) } },
      { cause: error },
    );
  }
  if (code === NO_RESPONSE) {
    return new ServiceError(
      'connection_failed',
      `${title} ended its stream without a response. ${RETRY_ADVICE}`,
      {
        reason: 'closed',
      },
    );
  }
  const data = 'data' in error ? error.data : undefined;
  const body = { code, message, ...(data !== undefined && { data }) };
  const isFailure = FAILURES.includes(code);
  const advice = isFailure
    ? RETRY_ADVICE
    : 'If this text names a mistake, correct it. Otherwise use another tool.';
  const said = cut(message).replace(/\.$/, '');
  const what = isFailure ? 'reported a failure' : 'refused the call';
  return new ServiceError('upstream_failed', `${title} ${what}: "${said}". ${advice}`, {
    status: HTTP_OK,
    body,
    ...(!isFailure && { reason: 'call_rejected' }),
  });
}

function rpcCodeOf(error: unknown): unknown {
  const body = error instanceof ServiceError ? error.details?.['body'] : undefined;
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/**
 * True if the MCP server rejected the request headers because the cached definition of the called tool is outdated. The
 * caller then reads the definition again.
 */
export const isStaleDefinition = (error: unknown): boolean => rpcCodeOf(error) === HEADER_MISMATCH;

/** True if the MCP server refused the arguments of a call. The cached definition of the tool may be outdated then. */
export function isWrongArguments(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') return false;
  const said = error.message.toLowerCase();
  return (
    rpcCodeOf(error) === INVALID_PARAMS ||
    ['invalid arguments for tool', 'mcp error -32602'].some((text) => said.includes(text))
  );
}

/**
 * True if the error text of the MCP server says that it has no tool `name`. The caller then drops the cached list of
 * tools. The text decides, because servers send the code -32602 for an unknown tool as well as for wrong arguments, and
 * many send no code.
 */
export function isUnknownTool(error: unknown, name: string): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') return false;
  const plain = (text: string) => text.toLowerCase().replaceAll(/["'`:]/g, '');
  const named = plain(`tool ${name}`);
  const said = plain(error.message);
  return [
    'unknown tool',
    'no such tool',
    'tool not found',
    `${named} not found`,
    `${named} was not found`,
    `${named} does not exist`,
    `${named} disabled`,
  ].some((text) => said.includes(text));
}
