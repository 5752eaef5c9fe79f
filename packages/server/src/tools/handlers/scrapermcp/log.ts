import { cutText, segment } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Mcp, Send } from '../../handler.js';
import type { Json } from '../json.js';
import { type ScraperServer, structuredIn } from './server.js';

interface LogRequest {
  readonly runId: string;
  readonly lines: number;
  readonly from: 'start' | 'end';
}

interface LogContext {
  readonly mcp: Mcp;
  readonly server: ScraperServer;
  readonly send: Send;
}

const LOG_TOOL = 'get-actor-run-log';
/** Maximum number of lines that the MCP server's log tool returns. The tool can only return the last lines of a log. */
const MAX_TOOL_LINES = 50;
const MAX_LINE_CHARACTERS = 2000;

/**
 * Matches secrets that actors (scraping programs) print to their logs: API tokens, passwords in URLs, and environment
 * variables.
 */
const SECRETS = [
  /\bapify_(?:api|proxy|ui)_\w{8,}/g,
  /(?<=\bBearer\s{1,3})[\w.~+/=-]+/gi,
  /(?<=[?&](?:token|apiKey|access_token)=)[^&\s"'<>]+/gi,
  /(?<=:\/\/[^\s:/@]{0,200}:)[^\s/@]+(?=@)/g,
  /(?<=\bAPIFY_\w{0,40}(?:TOKEN|PASSWORD)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',]+/gi,
];

const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, secret) => text.replace(secret, '[removed]'), line);

/** Reads lines from the log of an actor run (a run of a scraping program), without the secrets in the log. */
export async function readLog(request: LogRequest, context: LogContext): Promise<Json> {
  const all = (await readText(request, context)).replace(/\n$/, '').split('\n');
  const { runId, from } = request;
  const requested = from === 'end' ? all.slice(-request.lines) : all.slice(0, request.lines);
  // Secrets are removed before long log lines are shortened, because the patterns would not match a shortened secret.
  const lines = requested.map(withoutSecrets);
  const log = lines.map((line) => cutText(line, MAX_LINE_CHARACTERS)).join('\n');
  const isCut = lines.some((line) => line.length > MAX_LINE_CHARACTERS);
  return { runId, log, ...(isCut && { note: `Lines are cut after ${MAX_LINE_CHARACTERS} characters.` }) };
}

function readText(request: LogRequest, { mcp, server, send }: LogContext): Promise<string> {
  const fits = request.from === 'end' && request.lines <= MAX_TOOL_LINES;
  return fits && server.has(LOG_TOOL) ? readByTool(request, mcp) : readByRest(request, send);
}

async function readByTool({ runId, lines }: LogRequest, mcp: Mcp): Promise<string> {
  const result = await mcp.call(LOG_TOOL, { runId, lines });
  return asText(structuredIn(result)?.['log'] ?? result.content[0]?.text ?? '');
}

async function readByRest({ runId }: LogRequest, send: Send): Promise<string> {
  const path = `/v2/actor-runs/${segment(runId, 'runId')}/log`;
  return asText(
    (await send({ method: 'GET', host: 'api', path, headers: { accept: 'text/plain' }, response: 'text' })) ??
      '',
  );
}

function asText(log: unknown): string {
  if (typeof log === 'string') return log;
  throw new ServiceError(
    'upstream_failed',
    'The upstream succeeded, but its response is not a log. Retry the call.',
    {
      body: log,
    },
  );
}
