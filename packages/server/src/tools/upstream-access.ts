import type { Connector, Tool } from '@svc/catalog';
import type { MemoryShare } from '../concurrency/body-memory.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { internalError } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';
import type { OpenMcp } from '../mcp-client/open-mcp.js';
import type { DownloadSigned } from '../upstream/download-signed.js';
import { LONG_RUNNING_MS } from '../upstream/forward.js';
import type { ReadLink } from '../upstream/read-link.js';
import type { UpstreamRequest } from '../upstream/request.js';
import type { Trace } from '../upstream/trace.js';
import type { DeriveIdempotencyKey } from './derive-idempotency-key.js';
import type { HandlerContext, Mcp } from './handler.js';
import type { RetryWithBackoff } from './retry-with-backoff.js';
import type { Exchange, SendRequest, SendRequestContext } from './send-request.js';

/** Tool call that needs access to its upstream. */
interface ToolCall {
  readonly tool: Tool;
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly signal: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace: Trace;
  readonly holding: Pick<MemoryShare, 'take'>;
  /**
   * Returns a text that is equal for all attempts and repetitions of the tool call, from which idempotency keys are
   * derived. Absent in a dry run (a tool call without effect), which sends only reads.
   */
  readonly callKey?: (() => string) | undefined;
}

/** Access of one tool call to its upstream, by HTTP or by MCP. */
export interface UpstreamAccess {
  readonly exchange: Exchange;
  readonly mcp: () => Mcp;
  readonly download: HandlerContext['download'];
  readonly readLink: HandlerContext['readLink'];
  /** Checks the form of a link without opening it. Throws invalid_input. */
  readonly checkLink: ReadLink['checkLink'];
  readonly takeMemory: HandlerContext['takeMemory'];
}

const MCP_TIMEOUT_MS = 120_000;

const refuse = async (): Promise<never> => {
  throw internalError(
    'The handler of this tool calls an MCP server, but the connector of the tool has no "mcp" in its connector.json. Add "mcp" there.',
  );
};

/**
 * MCP client for a connector without an MCP server. Every method throws internal_error, because no tool may need it.
 */
export const noMcp: Mcp = { tools: refuse, call: refuse };

interface UpstreamAccessParts {
  readonly sendRequest: SendRequest;
  readonly openMcp: OpenMcp;
  readonly retry: RetryWithBackoff;
  readonly downloadSigned: DownloadSigned;
  readonly links: ReadLink;
  readonly deriveIdempotencyKey: DeriveIdempotencyKey;
}

export function createUpstreamAccess(parts: UpstreamAccessParts) {
  const { sendRequest, openMcp, retry, downloadSigned, links, deriveIdempotencyKey } = parts;

  function openToolMcp(context: SendRequestContext): Mcp {
    const { account, connector, isReadOnly, timeoutMs = MCP_TIMEOUT_MS, signal } = context;
    if (connector.mcp === undefined) return noMcp;
    const { onStatus, trace, holding } = context;
    const mcp = openMcp({ account, connector, timeoutMs, signal, onStatus, trace, holding });
    return {
      tools: () => retry({ account, connector, isRead: true, signal, trace }, mcp.tools),
      call: (name, args, options) =>
        retry({ account, connector, isRead: isReadOnly, signal, trace }, () => mcp.call(name, args, options)),
    };
  }

  /** Creates the function that adds the idempotency key to the upstream requests of a tool call that need one. */
  function createAddKey({ tool, account, callKey }: ToolCall) {
    const { applicationId, id: accountId } = account;
    let count = 0;
    return (request: UpstreamRequest): UpstreamRequest => {
      const index = count;
      count += 1;
      const { headers, idempotencyHeader: name } = request;
      if (name === undefined || callKey === undefined) return request;
      const repeated = { applicationId, accountId, toolName: tool.name, callKey: callKey(), index };
      return { ...request, headers: { ...headers, [name]: deriveIdempotencyKey(repeated) } };
    };
  }

  function accessUpstream(call: ToolCall): UpstreamAccess {
    const { tool, account, connector, signal, onStatus, trace, holding } = call;
    const { readOnly: isReadOnly, longRunning } = tool.hints;
    const context: SendRequestContext = {
      account,
      connector,
      scopes: tool.scopes,
      isReadOnly,
      timeoutMs: longRunning ? LONG_RUNNING_MS : undefined,
      // Only reads are cancelled when the client disconnects. A write continues, because a retry with the same
      // Idempotency-Key gets the stored response of the write.
      signal: isReadOnly ? signal : undefined,
      onStatus,
      trace,
      holding,
    };
    const addKey = createAddKey(call);
    return {
      exchange: (request) => sendRequest(addKey(request), context),
      mcp: () => openToolMcp(context),
      download: (link, mostBytes) =>
        downloadSigned(link, { account, connector, signal, trace, take: holding.take, mostBytes }),
      readLink: (link, use) =>
        links.readLink(link, use, {
          applicationId: account.applicationId,
          signal: context.signal,
          take: holding.take,
        }),
      checkLink: links.checkLink,
      takeMemory: holding.take,
    };
  }

  return accessUpstream;
}

export type AccessUpstream = ReturnType<typeof createUpstreamAccess>;
