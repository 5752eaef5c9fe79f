import type { Connector } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from '../upstream/forward.js';
import type { McpDialect, McpRequestOptions } from './mcp-client.js';
import { type McpExchangeOptions, runExchange } from './mcp-exchange.js';
import { createMcpFetch, type McpFetchParts } from './mcp-fetch.js';
import { type McpSession, openMcpSession } from './mcp-session.js';

export interface McpSessionsParts extends McpFetchParts {
  readonly credentials: Pick<Credentials, 'current'>;
  /** Of the service. */
  readonly version: string;
  /** How long a session that nobody uses is kept; longer than any call takes. */
  readonly idleMs?: number;
}

export interface McpContext extends McpExchangeOptions {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
}

export type McpWork<Result> = (session: McpSession, options: McpRequestOptions) => Promise<Result>;

/** Does the work in the account's session, opened first where there is none, and once more in a new one when it has ended. */
export type WithMcpSession = <Result>(context: McpContext, work: McpWork<Result>) => Promise<Result>;

interface Held {
  readonly session: Promise<McpSession>;
  /** Version of the credential that it was opened with: another one may be another user's. */
  readonly credential: number;
  readonly baseUrl: string;
  /** Calls that run in it or are about to. */
  calls: number;
  /** No further call is given it. */
  isLeft: boolean;
}

const IDLE_MS = 10 * 60_000;
const MOST_SESSIONS = 10_000;
const DIALECT_MS = 60 * 60_000;
const MOST_DIALECTS = 1000;

const dialectKey = ({ connectionId, baseUrl }: ResolvedAccount) => `${connectionId} ${baseUrl}`;

// Of one that nobody is given any more the last call ends it.
const endUnused = ({ session, calls, isLeft }: Held): void => {
  if (isLeft && calls === 0) void session.then(({ end }) => end()).catch(() => undefined);
};

const leave = (held: Held, _accountId: string, reason: LRUCache.DisposeReason): void => {
  // What was deleted could not be opened, or the server has ended it itself.
  if (reason === 'delete') return;
  held.isLeft = true;
  endUnused(held);
};

/** Keeps one session for each account, and never lets two accounts share one. */
export function createMcpSessions(parts: McpSessionsParts): WithMcpSession {
  const { credentials, version, idleMs = IDLE_MS } = parts;
  const held = new LRUCache<string, Held>({
    ...entryLimit(MOST_SESSIONS),
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: leave,
  });
  // One answer for all accounts of a connection; asked for again after a while, because servers learn.
  const dialects = new LRUCache<string, McpDialect>({ ...entryLimit(MOST_DIALECTS), ttl: DIALECT_MS });

  function open({ account, connector, ...own }: McpContext, credential: number): Held {
    // Others wait for it too, and it is kept: it goes on when the caller goes away.
    const options = { ...own, signal: undefined };
    const fetch = createMcpFetch(parts, { account, connector, path: connector.mcp?.path ?? '/' });
    const dialect = dialects.get(dialectKey(account));
    const session = runExchange(options, (signal) =>
      openMcpSession({ fetch, version, dialect }, { signal, timeoutMs: options.timeoutMs }),
    );
    const opened: Held = { session, credential, baseUrl: account.baseUrl, calls: 0, isLeft: false };
    held.set(account.id, opened);
    session.then(
      (open) => dialect ?? dialects.set(dialectKey(account), open.dialect),
      () => {
        dialects.delete(dialectKey(account));
        drop(account.id, opened);
      },
    );
    return opened;
  }

  function drop(accountId: string, ended: Held): void {
    if (held.peek(accountId) === ended) held.delete(accountId);
  }

  /** The session for a call, which counts from now on. */
  async function take(context: McpContext): Promise<Held> {
    const { account } = context;
    const { version: credential } = await credentials.current(account);
    const known = held.get(account.id);
    const isRight = known?.credential === credential && known.baseUrl === account.baseUrl;
    const taken = isRight ? known : open(context, credential);
    taken.calls += 1;
    return taken;
  }

  async function attempt<Result>(taken: Held, context: McpContext, work: McpWork<Result>): Promise<Result> {
    const { timeoutMs } = context;
    try {
      const session = await taken.session;
      return await runExchange(context, (signal) => work(session, { signal, timeoutMs }));
    } finally {
      taken.calls -= 1;
      endUnused(taken);
    }
  }

  return async (context, work) => {
    const first = await take(context);
    try {
      return await attempt(first, context, work);
    } catch (error) {
      const ended = (await first.session).endedBy(error);
      if (ended === undefined) throw error;
      if (ended === 'dialect') dialects.delete(dialectKey(context.account));
      drop(context.account.id, first);
      return attempt(await take(context), context, work);
    }
  };
}
