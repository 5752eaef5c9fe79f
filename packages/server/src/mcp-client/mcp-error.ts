import type { Connector } from '@svc/catalog';
import { cutText } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { NO_ANSWER } from './mcp-stream.js';
import type { McpResult } from './mcp-tool.js';

// The HTTP response is a success. Its content is the failure.
const HTTP_OK = 200;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const HEADER_MISMATCH = -32_020;

// Characters of a server's text, because people and regular expressions read it.
const MOST_CHARACTERS = 4096;

const cut = (text: string): string => cutText(text, MOST_CHARACTERS);

/** Error of a tool whose result says `isError`. */
export function mcpToolFailed(result: McpResult, { title }: Connector): ServiceError {
  const said = result.content.map((block) => block.text ?? '').join('\n');
  const text = cut(said.trim());
  return new ServiceError(
    'upstream_failed',
    text === '' ? `${title} reported that the call failed, without a reason.` : `${title} says: ${text}`,
    { status: HTTP_OK, body: result, reason: 'call_rejected' },
  );
}

/** Error of a tool that the server does not list, or lists with headers that must not be sent. */
export function mcpToolUnknown(name: string, { title }: Connector): ServiceError {
  const message = `Tool ${name} not found`;
  return new ServiceError('upstream_failed', `${title} has no tool "${name}" that can be called.`, {
    status: HTTP_OK,
    body: { code: INVALID_PARAMS, message },
    reason: 'call_rejected',
  });
}

/** Converts errors of the MCP library to ours. */
export function toMcpError(error: unknown, { title }: Connector): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  if (!('code' in error) || typeof error.code !== 'number') {
    return new ServiceError(
      'upstream_failed',
      `${title} does not respond like an MCP server: ${cut(error.message)}`,
      { status: HTTP_OK, body: null },
      { cause: error },
    );
  }
  const { code, message } = error;
  if (code === NO_ANSWER) {
    return new ServiceError('connection_failed', `${title} ended its stream without a response.`, {
      reason: 'closed',
    });
  }
  const data = 'data' in error ? error.data : undefined;
  const body = { code, message, ...(data !== undefined && { data }) };
  return new ServiceError('upstream_failed', `${title} refused the call: ${cut(message)}`, {
    status: HTTP_OK,
    body,
    ...(code !== INTERNAL_ERROR && { reason: 'call_rejected' }),
  });
}

const bodyOf = (error: unknown): unknown =>
  error instanceof ServiceError ? error.details?.['body'] : undefined;

/** True when the server refused the headers that follow from the cached definition of the tool. */
export function isStaleDefinition(error: unknown): boolean {
  const body = bodyOf(error);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === HEADER_MISMATCH;
}

// Two steps, because one expression would search for its end again from every match of its beginning.
function saysNotFound(text: string): boolean {
  const subject = text.search(/\btool\b/i);
  return /\bMCP error -32602\b/i.test(text) || (subject !== -1 && /\bnot found\b/i.test(text.slice(subject)));
}

/** True when the server may have other tools than the cached list. */
export function isUnknownTool(error: unknown): boolean {
  const body = bodyOf(error);
  if (typeof body !== 'object' || body === null) return false;
  if ('code' in body) return body.code === INVALID_PARAMS;
  return 'isError' in body && error instanceof ServiceError && saysNotFound(error.message);
}
