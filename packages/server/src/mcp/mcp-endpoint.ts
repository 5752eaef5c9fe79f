import { isJsonObject, type JsonObject } from '@svc/catalog';
import type { BodyMemory } from '../concurrency/body-memory.js';
import { asServiceError, type ErrorCode, ServiceError, wrongField } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import { type InputRoom, openInputRoom } from '../front/input-room.js';
import type { ChargeApplication } from '../front/parse-queued.js';
import type { RecordRefused } from '../tools/record-refused.js';
import type { CheckScope } from './challenges.js';
import { absentToolText, type DispatchCall } from './dispatch-call.js';
import type { createLibrary, McpRequest } from './library.js';
import { isFailure, type ServerInfo } from './outcome.js';
import { type PlainRequest, readPlainRequest } from './plain-request.js';
import { readDryRun, WRONG_META } from './read-dry-run.js';
import { calledTool, readMessage } from './read-message.js';
import { callResponse, INVALID_PARAMS, listResponse, METHOD_NOT_FOUND, rpcError } from './rpc-response.js';
import { sendJson } from './send-json.js';
import type { EndpointPath, FindToolset, Toolset } from './toolset.js';

interface McpEndpointParts {
  readonly findToolset: FindToolset;
  readonly checkScope: CheckScope;
  readonly dispatchCall: DispatchCall;
  readonly serveByLibrary: ReturnType<typeof createLibrary>;
  readonly info: ServerInfo;
  readonly memory: BodyMemory;
  readonly charge: ChargeApplication;
  readonly recordRefused: RecordRefused;
  /**
   * Callback for a large request body. It prevents a timeout while the body arrives slowly. Implemented by
   * listener/client-sockets.ts.
   */
  readonly expectUpload: (request: ApiRequest['request']) => void;
}

const PATH = /^\/mcp(?:\/apps\/([^/?]{1,768}))?(?:\/(\w{1,64}))?(?:\?(.*))?$/;

function readPath(url: string): EndpointPath {
  const [whole, application, connector, query = ''] = PATH.exec(url) ?? [];
  if (whole === undefined)
    throw new ServiceError(
      'not_found',
      'There is no MCP endpoint at this path. Use /mcp, /mcp/{connector}, or /mcp/apps/{applicationId} for MCP clients that sign in the user.',
    );
  return { application, connector, wantsAll: new URLSearchParams(query).get('tools') === 'all' };
}

// Errors of clients that look for an MCP endpoint or sign in. These requests call no tool, so they are not recorded as
// calls.
const NO_CALLS: readonly ErrorCode[] = ['method_not_allowed', 'unauthorized', 'not_found'];

function requirePost(apiRequest: ApiRequest): void {
  if (apiRequest.request.method === 'POST') return;
  throw new ServiceError(
    'method_not_allowed',
    'This endpoint has no sessions and no streams, so it accepts only POST. Send the request with POST.',
    {
      allow: ['POST'],
    },
  );
}

const subscribes = (message: unknown): message is { readonly id: unknown } =>
  isJsonObject(message) && message['method'] === 'subscriptions/listen';

const needsStream = (plain: PlainRequest, { tools }: Toolset): boolean =>
  plain.wantsProgress &&
  plain.takesStream &&
  plain.call !== undefined &&
  tools.get(plain.call.name)?.hints.longRunning !== false;

/**
 * Creates the MCP endpoint: streamable HTTP with or without `initialize`, and without sessions. This module handles the
 * `tools/list` and `tools/call` requests that `readPlainRequest` accepts. The MCP library serves all other requests.
 */
export function createMcpEndpoint(parts: McpEndpointParts) {
  const { checkScope, findToolset, dispatchCall, serveByLibrary, info, memory, expectUpload } = parts;
  const { charge, recordRefused } = parts;

  async function servePlain(
    { apiRequest, toolset, isDry, room }: Omit<McpRequest, 'body'>,
    plain: PlainRequest,
  ): Promise<void> {
    if (plain.call === undefined)
      return sendJson(apiRequest, 200, listResponse(toolset.listJson, plain, info));
    const { name, input } = plain.call;
    const outcome = await dispatchCall(name, { toolset, input, apiRequest, isDry, room });
    if (outcome === undefined) {
      const message = absentToolText(name, toolset);
      return sendJson(apiRequest, 200, rpcError({ id: plain.id, code: INVALID_PARAMS, message }));
    }
    if (isFailure(outcome)) apiRequest.errorCode = outcome.code;
    sendJson(apiRequest, 200, callResponse(outcome, plain, info));
  }

  async function serveMessage(
    apiRequest: ApiRequest,
    body: unknown,
    { toolset, room }: { readonly toolset: Toolset; readonly room: InputRoom },
  ): Promise<void> {
    checkScope(apiRequest, toolset, calledTool(body));
    if (subscribes(body)) {
      const message = 'This endpoint sends no notifications. Call the method again to see changes.';
      return sendJson(apiRequest, 404, rpcError({ id: body.id, code: METHOD_NOT_FOUND, message }));
    }
    const isDry = readDryRun(body);
    if (isDry === undefined) {
      // The cast is safe, because `readDryRun` returns `undefined` only for JSON objects.
      const { id } = body as JsonObject;
      const error = wrongField('_meta', WRONG_META);
      recordRefused(apiRequest, error, { toolName: calledTool(body), identifier: toolset.identifier });
      return sendJson(apiRequest, 200, rpcError({ id, code: INVALID_PARAMS, message: WRONG_META }));
    }
    const plain = readPlainRequest(apiRequest.request, body);
    if (plain && !needsStream(plain, toolset)) return servePlain({ apiRequest, toolset, isDry, room }, plain);
    return serveByLibrary({ toolset, apiRequest, isDry, room, body });
  }

  async function serveMcp(apiRequest: ApiRequest): Promise<void> {
    const { applicationId, bearer, onClose, request } = apiRequest;
    requirePost(apiRequest);
    if (bearer === undefined)
      throw new ServiceError(
        'unauthorized',
        'The request has no token. Send the header "Authorization: Bearer <token>".',
      );
    const toolset = await findToolset(bearer, readPath(request.url ?? ''));
    const room = openInputRoom(memory, {
      applicationId,
      expectUpload: () => expectUpload(request),
      whenClosed: new Promise<void>(onClose),
    });
    const body = await readMessage(apiRequest, { toolset, room, charge, recordRefused });
    if (body !== undefined) await serveMessage(apiRequest, body, { toolset, room });
  }

  async function work(apiRequest: ApiRequest): Promise<void> {
    try {
      await serveMcp(apiRequest);
    } catch (error) {
      if (!NO_CALLS.includes(asServiceError(error).code)) recordRefused(apiRequest, error);
      throw error;
    }
  }

  return { work, refused: recordRefused };
}
