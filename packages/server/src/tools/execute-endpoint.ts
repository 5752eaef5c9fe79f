import type { IncomingMessage } from 'node:http';
import type { BrokenRule, Catalog } from '@svc/catalog';
import type { BodyMemory } from '../concurrency/body-memory.js';
import type { ApiRequest } from '../front/api-request.js';
import { type IdempotencyKeys, idempotencyKeyOf } from '../front/idempotency-keys.js';
import { type InputRoom, openInputRoom } from '../front/input-room.js';
import type { LimitCalls } from '../front/limit-calls.js';
import { type ChargeApplication, parseQueued } from '../front/parse-queued.js';
import { readBody } from '../front/read-body.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { fromRules, wrongType } from '../listener/error-reply.js';
import { SLICE, toSlices } from '../listener/slices.js';
import { presentedBy, type TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from './dry-run.js';
import type { Execute } from './execute.js';
import type { ExecuteRequest } from './execute-request.js';
import type { RecordRefused } from './record-refused.js';
import { checksOf } from './token-checks.js';

type CheckPart = (value: unknown) => { readonly error?: readonly BrokenRule[] };

export interface ExecuteEndpointParts {
  readonly catalog: Pick<Catalog, 'tools'>;
  /**
   * Validators for path parameters, query string and body of the API operation that executes a tool. Their schemas are
   * in `routes/tool-routes.ts`.
   */
  readonly checks: { readonly params: CheckPart; readonly querystring: CheckPart; readonly body: CheckPart };
  readonly execute: Execute;
  readonly recordRefused: RecordRefused;
  readonly dryRun: RunDry;
  readonly tokenUses: TokenUses;
  readonly limitAccount: LimitCalls;
  readonly charge: ChargeApplication;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly memory: BodyMemory;
  /**
   * Called before a large request body is read, because its upload may take longer than the usual request timeout.
   * Implemented by listener/client-sockets.ts.
   */
  readonly expectUpload: (request: IncomingMessage) => void;
}

interface ToolBody {
  readonly connectedAccountId?: string;
  readonly connectionName?: string;
  readonly identifier?: string;
  readonly account?: string;
  readonly toolInput: unknown;
  readonly schemaVersion?: string;
  readonly toolVersion?: string;
  readonly dryRun?: boolean;
}

/**
 * Tool name and account of a tool call, as far as the service has read them. The log contains them even if the rest of
 * the request is invalid.
 */
type NamedRequest = { toolName?: string } & Partial<
  Pick<ToolBody, 'connectedAccountId' | 'connectionName' | 'identifier' | 'account' | 'dryRun'>
>;

const TOOL_NAME = /\/tools\/(\w{1,128})\/execute/;

/**
 * Returns the tool name in the URL of a tool call. Returns `undefined` if the URL has another form, for example
 * percent-encoded characters.
 */
const shownToolName = ({ url = '' }: IncomingMessage): string | undefined => TOOL_NAME.exec(url)?.[1];

const JSON_TYPE = /^application\/json *(?:;|$)/i;

function check(part: string, checkPart: CheckPart, value: unknown): void {
  const { error } = checkPart(value);
  if (error) throw fromRules(part, error);
}

/** Sends a response with a JSON body to the client. */
function send({ headers, response }: ApiRequest, status: number, text: string): void {
  headers['content-type'] = 'application/json; charset=utf-8';
  const length = Buffer.byteLength(text);
  headers['content-length'] = length;
  response.writeHead(status, headers);
  // Text of ASCII characters is written as latin1, because Node.js writes latin1 faster than UTF-8. Text is ASCII if
  // its byte length equals its string length.
  if (text.length <= SLICE) response.end(text, length === text.length ? 'latin1' : 'utf8');
  else toSlices(Buffer.from(text)).pipe(response);
}

export function createExecuteEndpoint(parts: ExecuteEndpointParts) {
  const { catalog, charge, checks, dryRun, execute, expectUpload, idempotencyKeys } = parts;
  const { limitAccount, memory, recordRefused, tokenUses } = parts;

  /**
   * Reads the tool name from the second-last segment of the URL path, and validates the tool name and the query. The
   * router has already matched the other segments.
   */
  function readToolName({ url = '' }: IncomingMessage): string {
    const [path = ''] = url.split('?', 1);
    const query = url.slice(path.length + 1);
    const toolName = decodeURIComponent(path.split('/').at(-2) ?? '');
    check('params', checks.params, { toolName });
    if (query) check('querystring', checks.querystring, Object.fromEntries(new URLSearchParams(query)));
    return toolName;
  }

  async function readToolBody(
    { applicationId, request, signal }: ApiRequest,
    toolName: string,
    room: InputRoom,
  ): Promise<ToolBody> {
    const type = request.headers['content-type'];
    if (type !== undefined && !JSON_TYPE.test(type)) throw wrongType();
    const tool = catalog.tools.get(toolName);
    const bytes = await readBody(request, {
      mostBytes: mostBytesOf(tool),
      toolName: tool?.name,
      take: room.take,
    });
    if (type === undefined && bytes.length > 0) throw wrongType();
    const sender = { owner: applicationId, isDisconnected: () => signal.aborted, charge };
    const body = bytes.length === 0 ? undefined : await parseQueued(bytes, sender);
    check('body', checks.body, body);
    // `check` has validated the body by the schema of the API operation, so this cast is safe.
    return body as ToolBody;
  }

  /** Records a tool call that the service refused before it executed the tool. Adds it to the execution log. */
  function refuse(
    apiRequest: ApiRequest,
    thrown: unknown,
    { dryRun: isDry, ...named }: NamedRequest = {},
  ): void {
    if (!isDry) recordRefused(apiRequest, thrown, { toolName: shownToolName(apiRequest.request), ...named });
  }

  /** Reads the body of a tool call's request. Resolves to the stored response if the call repeats an earlier one. */
  async function prepare(apiRequest: ApiRequest, room: InputRoom, named: NamedRequest) {
    const { applicationId, bearer, headers, id: requestId, request, signal, traceId } = apiRequest;
    const toolName = readToolName(request);
    Object.assign(named, { toolName });
    const { dryRun: isDry = false, ...body } = await readToolBody(apiRequest, toolName, room);
    const { connectedAccountId, connectionName, identifier, account } = body;
    Object.assign(named, { dryRun: isDry, connectedAccountId, connectionName, identifier, account });
    // A dry run (a tool call without effect) must not use up the Idempotency-Key of the real call.
    const stored = isDry ? undefined : await idempotencyKeys.begin(apiRequest, body);
    if (stored) return { stored };
    const presented = bearer && presentedBy(bearer, '/v1');
    const prepared: ExecuteRequest = {
      ...body,
      ...(presented && checksOf(tokenUses, presented, body)),
      toolName,
      applicationId,
      requestId,
      traceId,
      idempotencyKey: idempotencyKeyOf(apiRequest),
      signal,
      onAccount: ({ id }) => limitAccount(request, headers, id),
      onLookup: ({ id }) => limitAccount(request, {}, id),
    };
    return { prepared, run: isDry ? dryRun : execute };
  }

  /** Handles `POST /v1/tools/{toolName}/execute`, which executes a tool. */
  async function executeTool(apiRequest: ApiRequest): Promise<void> {
    const { applicationId, request } = apiRequest;
    const whenSent = new Promise<void>((resolve) => apiRequest.onClose(resolve));
    const room = openInputRoom(memory, {
      applicationId,
      expectUpload: () => expectUpload(request),
      whenClosed: whenSent,
    });
    const named: NamedRequest = {};
    const { stored, prepared, run } = await prepare(apiRequest, room, named).catch((error: unknown) => {
      refuse(apiRequest, error, named);
      throw error;
    });
    if (stored) return send(apiRequest, stored.status, stored.body);
    const running = run({ ...prepared, whenSent });
    room.reserveDuring(running);
    const text = JSON.stringify(await running);
    await apiRequest.beforeSend?.({ status: 200, body: text });
    send(apiRequest, 200, text);
  }

  return { work: executeTool, refused: refuse };
}
