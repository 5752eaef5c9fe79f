import type { Connector } from '@svc/catalog';
import { cutText } from '@svc/catalog';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import { NO_RESPONSE } from './mcp-stream.js';
import type { McpResult } from './mcp-tool.js';

// Status in the error details when an MCP server responds with HTTP 200 and the body contains a failure.
const HTTP_OK = 200;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const HEADER_MISMATCH = -32_020;

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
    ? `The service cannot use the response of the MCP server ${title}: ${sentenceOf(message)} If a retry fails too, report the error to the operator of ${title}.`
    : `The MCP server ${title} uses the MCP protocol version ${version}, which the service does not support. Report this to the operator of ${title}.`;
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
  if (!('code' in error) || typeof error.code !== 'number') {
    return new ServiceError(
      'upstream_failed',
      explainRefused(error.message, title),
      { status: HTTP_OK, body: null },
      { cause: error },
    );
  }
  const { code, message } = error;
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
  const isInternal = code === INTERNAL_ERROR;
  const advice = isInternal
    ? RETRY_ADVICE
    : 'If this text names a mistake, correct it. Otherwise use another tool.';
  const said = cut(message).replace(/\.$/, '');
  return new ServiceError('upstream_failed', `${title} refused the call: "${said}". ${advice}`, {
    status: HTTP_OK,
    body,
    ...(!isInternal && { reason: 'call_rejected' }),
  });
}

const bodyOf = (error: unknown): unknown =>
  error instanceof ServiceError ? error.details?.['body'] : undefined;

/**
 * True if the MCP server rejected the request headers because the cached definition of the called tool is outdated. The
 * caller then reads the definition again.
 */
export function isStaleDefinition(error: unknown): boolean {
  const body = bodyOf(error);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === HEADER_MISMATCH;
}

// True if an error text of the MCP server says that a tool is not found. Searches in two steps, because one regular
// expression for both words would need quadratic time.
function saysNotFound(text: string): boolean {
  const subject = text.search(/\btool\b/i);
  return /\bMCP error -32602\b/i.test(text) || (subject !== -1 && /\bnot found\b/i.test(text.slice(subject)));
}

/**
 * True if the error suggests that the MCP server no longer has the tool. The caller then drops the cached list of
 * tools.
 */
export function isUnknownTool(error: unknown): boolean {
  const body = bodyOf(error);
  if (typeof body !== 'object' || body === null) return false;
  if ('code' in body) return body.code === INVALID_PARAMS;
  return 'isError' in body && error instanceof ServiceError && saysNotFound(error.message);
}
