import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { NO_ANSWER } from './mcp-stream.js';
import type { McpResult } from './mcp-tool.js';

// The answer came by HTTP as it should; it is what it says that failed.
const HTTP_OK = 200;
const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;

// As much as a person, or an expression, has to read of what a server says.
const MOST_SAID = 4096;

const cut = (text: string): string =>
  text.length <= MOST_SAID ? text : `${text.slice(0, MOST_SAID).toWellFormed()}…`;

/** The error of a tool that says itself that it failed. */
export function mcpToolFailed(result: McpResult, { title }: Connector): ServiceError {
  const said = result.content.map((block) => block.text ?? '').join('\n');
  const text = cut(said.trim());
  return new ServiceError(
    'upstream_failed',
    text === '' ? `${title} says that the call failed, and not why.` : `${title} says: ${text}`,
    { status: HTTP_OK, body: result },
  );
}

/** The error of a tool that the server does not list, or lists in a way in which it must not be called. */
export function mcpToolUnknown(name: string, { title }: Connector): ServiceError {
  const message = `Tool ${name} not found`;
  return new ServiceError('upstream_failed', `${title} has no tool "${name}" that can be called.`, {
    status: HTTP_OK,
    body: { code: INVALID_PARAMS, message },
  });
}

/** What the MCP library throws, as an error of ours; ours stay as they are. */
export function toMcpError(error: unknown, { title }: Connector): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  if (!('code' in error) || typeof error.code !== 'number') {
    return new ServiceError(
      'upstream_failed',
      `${title} does not answer as an MCP server does: ${cut(error.message)}`,
      { status: HTTP_OK, body: null },
      { cause: error },
    );
  }
  const { code, message } = error;
  if (code === NO_ANSWER) {
    return new ServiceError('connection_failed', `${title} ended its stream without an answer.`, {
      reason: 'closed',
    });
  }
  const data = 'data' in error ? error.data : undefined;
  const body = { code, message, ...(data !== undefined && { data }) };
  return new ServiceError('upstream_failed', `${title} refused the call: ${cut(message)}`, {
    status: HTTP_OK,
    body,
  });
}

const bodyOf = (error: unknown): unknown =>
  error instanceof ServiceError ? error.details?.['body'] : undefined;

/** Whether the server wanted other headers than those that follow from the known definition of the tool. */
export function isStaleDefinition(error: unknown): boolean {
  const body = bodyOf(error);
  return typeof body === 'object' && body !== null && 'code' in body && body.code === HEADER_MISMATCH;
}

// In two steps, because one expression would look for the end again from every beginning.
function saysNotFound(text: string): boolean {
  const subject = text.search(/\btool\b/i);
  return /\bMCP error -32602\b/i.test(text) || (subject !== -1 && /\bnot found\b/i.test(text.slice(subject)));
}

/** Whether the server may have other tools than the ones that are known. */
export function isUnknownTool(error: unknown): boolean {
  const body = bodyOf(error);
  if (typeof body !== 'object' || body === null) return false;
  if ('code' in body) return body.code === INVALID_PARAMS;
  return 'isError' in body && error instanceof ServiceError && saysNotFound(error.message);
}
