import type { Connector } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { Credentials } from '../connections/credentials.js';
import type { HandleChallenge } from '../connections/handle-challenge.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import type { Forward } from '../upstream/forward.js';
import type { McpDialect, McpRequestOptions } from './mcp-client.js';
import { type McpExchangeOptions, runExchange } from './mcp-exchange.js';
import { createMcpFetch } from './mcp-fetch.js';
import { type McpSession, openMcpSession } from './mcp-session.js';

interface McpSessionsParts {
  readonly forward: Forward;
  readonly credentials: Pick<Credentials, 'current'>;
  readonly handleChallenge: HandleChallenge;
  /** Version of this service. MCP servers get it as part of the client info. */
  readonly version: string;
  readonly now: () => Date;
  /** Milliseconds until an unused MCP session expires. It must be longer than any call takes. Default: 10 minutes. */
  readonly idleMs?: number | undefined;
}

export interface McpContext extends McpExchangeOptions {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
}

export type McpWork<Result> = (session: McpSession, options: McpRequestOptions) => Promise<Result>;

interface CachedSession {
  readonly session: Promise<McpSession>;
  /**
   * Version of the account's credential that opened the MCP session. A new credential needs a new session, because it
   * may belong to another upstream user.
   */
  readonly credential: number;
  readonly baseUrl: string;
  /** Number of running calls in the MCP session. A session that the cache has dropped is ended when no call uses it. */
  calls: number;
  /** True after the cache has dropped the MCP session. New calls do not use the session any more. */
  isRetired: boolean;
}

const IDLE_MS = 10 * 60_000;
const MAX_SESSIONS = 10_000;
const DIALECT_MS = 60 * 60_000;
const MAX_DIALECTS = 1000;

const dialectKey = ({ connectionId, baseUrl }: ResolvedAccount) => `${connectionId} ${baseUrl}`;

/** Ends an MCP session at its server if the cache has dropped the session and no call uses it. */
function endUnused({ session, calls, isRetired }: CachedSession): void {
  if (isRetired && calls === 0) void session.then(({ end }) => end()).catch(() => undefined);
}

function retire(cached: CachedSession, _accountId: string, reason: LRUCache.DisposeReason): void {
  // Reason `delete`: the MCP session failed to open, or the server has already ended it. No request to end it is
  // necessary.
  if (reason === 'delete') return;
  cached.isRetired = true;
  endUnused(cached);
}

/**
 * Creates a cache with one MCP session for each connected account. Accounts never share a session, because a session
 * belongs to one upstream user.
 */
export function createMcpSessions(parts: McpSessionsParts) {
  const { forward, credentials, handleChallenge, version, now, idleMs = IDLE_MS } = parts;
  const sessions = new LRUCache<string, CachedSession>({
    ...entryLimit(MAX_SESSIONS),
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: retire,
  });
  // Cache of the protocol that each MCP server speaks (with or without sessions), shared by all accounts of a
  // connection. Entries expire, because servers are upgraded.
  const dialects = new LRUCache<string, McpDialect>({ ...entryLimit(MAX_DIALECTS), ttl: DIALECT_MS });

  function remove(accountId: string, ended: CachedSession): void {
    if (sessions.peek(accountId) === ended) sessions.delete(accountId);
  }

  function open({ account, connector, ...exchange }: McpContext, credential: number): CachedSession {
    // Opening the MCP session continues if this caller disconnects, because other calls may wait for the same session.
    const options = { ...exchange, signal: undefined };
    const path = connector.mcp?.path ?? '/';
    const fetch = createMcpFetch({ forward, handleChallenge, now }, { account, connector, path });
    const dialect = dialects.get(dialectKey(account));
    const session = runExchange(options, (signal) =>
      openMcpSession({ fetch, version, dialect }, { signal, timeoutMs: options.timeoutMs }),
    );
    const opened: CachedSession = {
      session,
      credential,
      baseUrl: account.baseUrl,
      calls: 0,
      isRetired: false,
    };
    sessions.set(account.id, opened);
    session.then(
      (open) => dialect ?? dialects.set(dialectKey(account), open.dialect),
      () => {
        dialects.delete(dialectKey(account));
        remove(account.id, opened);
      },
    );
    return opened;
  }

  /** Returns the cached or a new MCP session for a call. Increments the number of running calls in the session. */
  async function acquire(context: McpContext): Promise<CachedSession> {
    const { account } = context;
    const { version: credential } = await credentials.current(account);
    const cached = sessions.get(account.id);
    const isUsable = cached?.credential === credential && cached.baseUrl === account.baseUrl;
    const acquired = isUsable ? cached : open(context, credential);
    acquired.calls += 1;
    return acquired;
  }

  async function attempt<Result>(
    acquired: CachedSession,
    context: McpContext,
    work: McpWork<Result>,
  ): Promise<Result> {
    const { timeoutMs } = context;
    try {
      const session = await acquired.session;
      return await runExchange(context, (signal) => work(session, { signal, timeoutMs }));
    } finally {
      acquired.calls -= 1;
      endUnused(acquired);
    }
  }

  /**
   * Runs `work` in the account's MCP session. If the server has ended that session, repeats `work` once in a new
   * session.
   */
  async function withMcpSession<Result>(context: McpContext, work: McpWork<Result>): Promise<Result> {
    const first = await acquire(context);
    try {
      return await attempt(first, context, work);
    } catch (error) {
      const ended = (await first.session).endedBy(error);
      if (ended === undefined) throw error;
      if (ended === 'dialect') dialects.delete(dialectKey(context.account));
      remove(context.account.id, first);
      return attempt(await acquire(context), context, work);
    }
  }

  return withMcpSession;
}

export type WithMcpSession = ReturnType<typeof createMcpSessions>;
