import { hasNextPage, type JsonObject, nextInput, type Paging, parseJson } from '@svc/catalog';
import { wellFormed } from '@svc/catalog/dialects';
import type { ErrorCode } from '../errors.js';
import type { DryRunResult } from '../tools/dry-run.js';
import { DRY_RUN_META } from './read-dry-run.js';

/** Result of a tool that ran successfully. */
export interface Success {
  readonly data: unknown;
  /**
   * True if the tool's data is not an object. The structured content is then `{ result: data }`, because MCP requires
   * an object.
   */
  readonly isWrapped: boolean;
  /** Text for the model that follows the tool's data, such as how to request the next page. */
  readonly hint?: string | undefined;
  /** True to send the data as text only, without `structuredContent`. */
  readonly isTextOnly?: boolean | undefined;
}

/** Result of a tool call that was rejected, failed, or still runs as a job. */
export interface Failure {
  readonly code: ErrorCode | 'still_running' | 'job_not_found' | 'job_lost';
  /** Error text for the model: what went wrong and what to do. */
  readonly text: string;
  /** True if the model may repeat the call shortly, because the error is temporary. */
  readonly isRetryable: boolean;
  /** Link for the user to consent to the connection, and the message to show with it. */
  readonly link?: { readonly url: string; readonly message: string } | undefined;
  readonly jobId?: string | undefined;
}

/** Result of a dry run: the upstream requests that the tool call would send. */
export interface Plan {
  readonly plan: DryRunResult;
}

export type Outcome = Success | Failure | Plan;

export const isFailure = (outcome: Outcome): outcome is Failure => 'code' in outcome;
const isSuccess = (outcome: Outcome): outcome is Success => 'data' in outcome;

/** Key in `_meta` of a failed tool result. Its value is the error in a form that programs can read. */
const ERROR_META = 'svc/error';

/**
 * Returns the JSON of an MCP text block. Lone surrogates of upstream texts are replaced, because the APIs of model
 * vendors reject them.
 */
const text = (value: string) => `{"type":"text","text":${JSON.stringify(value.toWellFormed())}}`;

/** Name and version of this service. MCP 2026-07-28 has no `initialize`, so every result contains them. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** Returns the fields that every MCP 2026-07-28 result must contain. */
export const modernEnd = (info: ServerInfo) => ({
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': info },
});

function failureText({ code, text: message, isRetryable, link, jobId }: Failure): string {
  const error = { code, retryable: isRetryable, connectUrl: link?.url, jobId };
  return `"content":[${text(message)}],"isError":true,"_meta":${JSON.stringify({ [ERROR_META]: error })}`;
}

/**
 * Property of an MCP tool result's structured content for the hint to the model, such as how to request the next page.
 * The hint is repeated here, because some clients show the model only structured content. Output schemas allow
 * additional properties.
 */
const HINT = '_hint';

const withHint = (object: string, hint: string): string =>
  `${object.slice(0, -1)}${object === '{}' ? '' : ','}${JSON.stringify(HINT)}:${JSON.stringify(hint)}}`;

/**
 * Returns the JSON of a tool's data, without halves of surrogate pairs. JSON.stringify escapes only those as `\ud…`.
 */
function toJson(data: unknown): string {
  const json = JSON.stringify(data);
  return json.includes('\\ud') ? JSON.stringify(wellFormed(data)) : json;
}

function successText({ data, isWrapped, hint, isTextOnly }: Success): string {
  const json = toJson(data ?? null);
  if (isTextOnly) return `"content":[${text(json)}]`;
  // The data is the first content block, because some clients show the model only the first block. Others show only
  // structured content, so both contain the data.
  const content = hint === undefined ? text(json) : `${text(json)},${text(hint)}`;
  const structured = isWrapped ? `{"result":${json}}` : json;
  return `"content":[${content}],"structuredContent":${hint === undefined ? structured : withHint(structured, hint)}`;
}

const NOTHING_DONE =
  'dry_run: Nothing was done, because this was a dry run. The call would send the requests below, as far as they can be known.';

// Returns the text of a dry run's result with `isError: true`. The result does not match the tool's output schema, and
// the model must not mistake it for a real call.
function planText({ plan }: Plan): string {
  const json = JSON.stringify(plan);
  return `"content":[${text(NOTHING_DONE)},${text(json)}],"isError":true,"_meta":{"${DRY_RUN_META}":${json}}`;
}

function textOf(outcome: Outcome): string {
  if (isSuccess(outcome)) return successText(outcome);
  return isFailure(outcome) ? failureText(outcome) : planText(outcome);
}

/** Returns the JSON of a `tools/call` result. The tool's data is serialized only once, because it may be large. */
export const resultText = (outcome: Outcome): string => `{${textOf(outcome)}}`;

/** Returns the JSON of a `tools/call` result for MCP 2026-07-28, the version without `initialize`. */
export function modernResultText(outcome: Outcome, info: ServerInfo): string {
  const { resultType, _meta } = modernEnd(info);
  if (isSuccess(outcome)) return `{${successText(outcome)},${JSON.stringify({ resultType, _meta }).slice(1)}`;
  const other = parseJson(resultText(outcome)) as { readonly _meta?: JsonObject };
  return JSON.stringify({ ...other, resultType, _meta: { ...other._meta, ..._meta } });
}

const NO_WAY = 'There is more data, but the tool has no input to request it. Narrow the request instead.';

/** Returns a text that tells the model how to request the next page. Returns `undefined` after the last page. */
export function nextPageHint(paging: Paging | undefined, data: unknown): string | undefined {
  const inputs = Object.entries(nextInput(paging, data) ?? {});
  if (inputs.length === 0) return paging !== undefined && hasNextPage(paging, data) ? NO_WAY : undefined;
  return `There is more: call again with ${inputs.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(' and ')}.`;
}
