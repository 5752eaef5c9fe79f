import { hasNextPage, nextInput, type Paging } from '@svc/catalog';
import type { ErrorCode } from '../errors.js';
import type { DryRunResult } from '../tools/dry-run.js';
import { DRY_RUN_META } from './read-dry-run.js';

/** A tool ran. */
export interface Done {
  readonly data: unknown;
  /** MCP wants an object: anything else stands in its field `result`. */
  readonly isWrapped: boolean;
  /** What a model should know first. */
  readonly hint?: string | undefined;
}

/** A tool did not run, or failed, or has not ended: the model is told why and what to do. */
export interface Failed {
  readonly code: ErrorCode | 'still_running' | 'job_not_found' | 'job_lost';
  readonly text: string;
  /** The same call may come out otherwise in a moment. */
  readonly isRetryable: boolean;
  /** Where the user approves. */
  readonly link?: { readonly url: string; readonly message: string } | undefined;
  readonly jobId?: string | undefined;
}

/** A tool was not run, because its caller only wanted to know what it would do. */
export interface Planned {
  readonly plan: DryRunResult;
}

export type Answer = Done | Failed | Planned;

export const isFailed = (answer: Answer): answer is Failed => 'code' in answer;

/** In `_meta` of a result that says of an error what programs go by. */
const ERROR_META = 'svc/error';

const text = (value: string) => `{"type":"text","text":${JSON.stringify(value)}}`;

/** Who answers, as results of the revision without `initialize` say it. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** What ends every result of that revision, and none of an earlier one. */
export const modernEnd = (info: ServerInfo) => ({
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': info },
});

function failureText({ code, text: said, isRetryable, link, jobId }: Failed): string {
  const error = { code, retryable: isRetryable, connectUrl: link?.url, jobId };
  return `"content":[${text(said)}],"isError":true,"_meta":${JSON.stringify({ [ERROR_META]: error })}`;
}

function doneText({ data, isWrapped, hint }: Done): string {
  const json = JSON.stringify(data ?? null);
  const content = hint === undefined ? text(json) : `${text(hint)},${text(json)}`;
  return `"content":[${content}],"structuredContent":${isWrapped ? `{"result":${json}}` : json}`;
}

const NOTHING_DONE =
  'dry_run: Nothing was done, because the caller asked what the call would do. It would send the requests below, as far as that can be known.';

// An error, because it is not what the output schema promises, and so that nobody takes it for a call that was made.
function planText({ plan }: Planned): string {
  const json = JSON.stringify(plan);
  return `"content":[${text(NOTHING_DONE)},${text(json)}],"isError":true,"_meta":{"${DRY_RUN_META}":${json}}`;
}

const isDone = (answer: Answer): answer is Done => 'data' in answer;

function textOf(answer: Answer): string {
  if (isDone(answer)) return doneText(answer);
  return isFailed(answer) ? failureText(answer) : planText(answer);
}

/** JSON of a result of `tools/call`. Data are written once, however long they are. */
export const resultText = (answer: Answer): string => `{${textOf(answer)}}`;

/** The same as that revision has it. */
export function modernResultText(answer: Answer, info: ServerInfo): string {
  const { resultType, _meta } = modernEnd(info);
  if (isDone(answer)) return `{${doneText(answer)},${JSON.stringify({ resultType, _meta }).slice(1)}`;
  const other = JSON.parse(resultText(answer));
  return JSON.stringify({ ...other, resultType, _meta: { ...other._meta, ..._meta } });
}

const NO_WAY = 'There is more than this, and no input of the tool asks for it.';

/** How the next page is asked for, where there is one. */
export function nextPageHint(paging: Paging | undefined, data: unknown): string | undefined {
  const asked = Object.entries(nextInput(paging, data) ?? {});
  if (asked.length === 0) return paging !== undefined && hasNextPage(paging, data) ? NO_WAY : undefined;
  return `There is more: call again with ${asked.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(' and ')}.`;
}
