import { hasNextPage, type JsonObject, nextInput, type Paging, parseJson } from '@svc/catalog';
import type { ErrorCode } from '../errors.js';
import type { DryRunResult } from '../tools/dry-run.js';
import { DRY_RUN_META } from './read-dry-run.js';

/** A tool ran. */
export interface Success {
  readonly data: unknown;
  /** MCP requires an object. Other data becomes its field `result`. */
  readonly isWrapped: boolean;
  /** Text for the model, behind the data. */
  readonly hint?: string | undefined;
  /** True to send no structured content. */
  readonly isTextOnly?: boolean | undefined;
}

/** A tool did not run, failed, or still runs. */
export interface Failure {
  readonly code: ErrorCode | 'still_running' | 'job_not_found' | 'job_lost';
  /** Text for the model: what went wrong and what to do. */
  readonly text: string;
  /** True when the same call may succeed in a moment. */
  readonly isRetryable: boolean;
  /** Page where the user approves. */
  readonly link?: { readonly url: string; readonly message: string } | undefined;
  readonly jobId?: string | undefined;
}

/** A dry run. */
export interface Plan {
  readonly plan: DryRunResult;
}

export type Outcome = Success | Failure | Plan;

export const isFailure = (outcome: Outcome): outcome is Failure => 'code' in outcome;
const isSuccess = (outcome: Outcome): outcome is Success => 'data' in outcome;

/** Key in `_meta` of a failure, for programs. */
const ERROR_META = 'svc/error';

/** A text block. Upstreams may send half surrogate pairs, which model vendors refuse. */
const text = (value: string) => `{"type":"text","text":${JSON.stringify(value.toWellFormed())}}`;

/** Server info in the results of the revision without `initialize`. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** Fields at the end of every result of the revision without `initialize`. */
export const modernEnd = (info: ServerInfo) => ({
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': info },
});

function failureText({ code, text: message, isRetryable, link, jobId }: Failure): string {
  const error = { code, retryable: isRetryable, connectUrl: link?.url, jobId };
  return `"content":[${text(message)}],"isError":true,"_meta":${JSON.stringify({ [ERROR_META]: error })}`;
}

/** Field of structured content with the hint, for clients that show the model nothing else. Output schemas allow further fields. */
const HINT = '_hint';

const withHint = (object: string, hint: string): string =>
  `${object.slice(0, -1)}${object === '{}' ? '' : ','}${JSON.stringify(HINT)}:${JSON.stringify(hint)}}`;

function successText({ data, isWrapped, hint, isTextOnly }: Success): string {
  const json = JSON.stringify(data ?? null);
  if (isTextOnly) return `"content":[${text(json)}]`;
  // The data comes first, because some clients show the model the first content alone, and others only structured content.
  const content = hint === undefined ? text(json) : `${text(json)},${text(hint)}`;
  const structured = isWrapped ? `{"result":${json}}` : json;
  return `"content":[${content}],"structuredContent":${hint === undefined ? structured : withHint(structured, hint)}`;
}

const NOTHING_DONE =
  'dry_run: Nothing was done, because the caller asked what the call would do. It would send the requests below, as far as that can be known.';

// A plan is an error, because it breaks the output schema and must not be taken for a call that ran.
function planText({ plan }: Plan): string {
  const json = JSON.stringify(plan);
  return `"content":[${text(NOTHING_DONE)},${text(json)}],"isError":true,"_meta":{"${DRY_RUN_META}":${json}}`;
}

function textOf(outcome: Outcome): string {
  if (isSuccess(outcome)) return successText(outcome);
  return isFailure(outcome) ? failureText(outcome) : planText(outcome);
}

/** JSON of a result of `tools/call`. Data is serialized once, because it may be large. */
export const resultText = (outcome: Outcome): string => `{${textOf(outcome)}}`;

/** JSON of a result in the revision without `initialize`. */
export function modernResultText(outcome: Outcome, info: ServerInfo): string {
  const { resultType, _meta } = modernEnd(info);
  if (isSuccess(outcome)) return `{${successText(outcome)},${JSON.stringify({ resultType, _meta }).slice(1)}`;
  const other = parseJson(resultText(outcome)) as { readonly _meta?: JsonObject };
  return JSON.stringify({ ...other, resultType, _meta: { ...other._meta, ..._meta } });
}

const NO_WAY = 'There is more data, but the tool has no input to request it.';

/** Tells the model how to request the next page; `undefined` after the last one. */
export function nextPageHint(paging: Paging | undefined, data: unknown): string | undefined {
  const inputs = Object.entries(nextInput(paging, data) ?? {});
  if (inputs.length === 0) return paging !== undefined && hasNextPage(paging, data) ? NO_WAY : undefined;
  return `There is more: call again with ${inputs.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(' and ')}.`;
}
