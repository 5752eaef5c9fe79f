import type { IncomingMessage } from 'node:http';
import type { Call } from '../front/call.js';
import type { LimitCalls } from '../front/limit-calls.js';
import { parseJsonBody } from '../front/parse-json-body.js';
import { readBody } from '../front/read-body.js';
import type { Work } from '../front/serve-call.js';
import { fromProblems, type SchemaProblem } from '../listener/error-reply.js';
import { SLICE, toSlices } from '../listener/slices.js';
import { shownBy, type TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from './dry-run.js';
import type { Execute } from './execute.js';
import { checksOf } from './token-checks.js';

export interface ToolParts {
  readonly execute: Execute;
  readonly tokenUses: TokenUses;
  readonly dryRun: RunDry;
  readonly limitAccount: LimitCalls;
  /** By the schema of the operation. */
  readonly checkBody: (body: unknown) => { readonly error?: readonly SchemaProblem[] };
}

export interface ToolBody {
  readonly connectedAccountId?: string;
  readonly connectionName?: string;
  readonly identifier?: string;
  readonly toolInput: unknown;
  readonly schemaVersion?: string;
  readonly toolVersion?: string;
  readonly dryRun?: boolean;
}

const version = { type: 'string', minLength: 1, maxLength: 64 };

/** The schema of the body. */
export const TOOL_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['toolInput'],
  properties: {
    connectedAccountId: {
      description: 'The account by its id; absent where connectionName and identifier name it.',
      type: 'string',
      minLength: 1,
      maxLength: 128,
    },
    connectionName: { type: 'string', minLength: 1, maxLength: 64 },
    identifier: {
      description:
        'A user who never connected gets account_not_authorized, as one who has not approved: the way to the link makes the account.',
      type: 'string',
      minLength: 1,
      maxLength: 256,
    },
    toolInput: { description: "By the tool's input schema.", type: 'object', additionalProperties: true },
    schemaVersion: version,
    toolVersion: version,
    dryRun: {
      description: 'Changes nothing, and tells what would be sent. Takes no Idempotency-Key.',
      type: 'boolean',
    },
  },
};

/** Of a call that comes this way; the framework takes larger ones. */
const MOST_BYTES = 64 * 1024;
const PATH = /^\/v1\/tools\/(\w{1,128})\/execute$/;
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Whether a request executes a tool and asks for nothing else. */
export function isPlainToolCall({ method, url = '', headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return (
    method === 'POST' &&
    PATH.test(url) &&
    length > 0 &&
    length <= MOST_BYTES &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['idempotency-key'] === undefined
  );
}

function answer({ headers, response }: Call, result: object): void {
  const text = JSON.stringify(result);
  headers['content-type'] = 'application/json; charset=utf-8';
  const length = Buffer.byteLength(text);
  headers['content-length'] = length;
  response.writeHead(200, headers);
  // ASCII, which most answers are, is written faster than what has to be encoded.
  if (text.length <= SLICE) response.end(text, length === text.length ? 'latin1' : 'utf8');
  else toSlices(Buffer.from(text)).pipe(response);
}

/** Executes a tool. */
export const createTool =
  ({ execute, dryRun, tokenUses, limitAccount, checkBody }: ToolParts): Work =>
  async (call) => {
    const { applicationId, headers, id: requestId, request, signal } = call;
    const parsed = parseJsonBody(await readBody(request, { mostBytes: MOST_BYTES }));
    const { error } = checkBody(parsed);
    if (error) throw fromProblems('body', error);
    // It has just been checked by the schema of the operation.
    const { dryRun: isDry = false, ...body } = parsed as ToolBody;
    const shown = call.bearer && shownBy(call.bearer, '/v1');
    const toolName = PATH.exec(request.url ?? '')?.[1] ?? '';
    const run = isDry ? dryRun : execute;
    const result = await run({
      ...body,
      ...(shown && checksOf(tokenUses, shown, body)),
      toolName,
      applicationId,
      requestId,
      signal,
      onAccount: ({ id }) => limitAccount(request, headers, id),
      whenSent: new Promise<void>((resolve) => call.onClose(resolve)),
    });
    answer(call, result);
  };
