import type { Connector } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.js';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from './forward.js';
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
}

const IDLE_MS = 10 * 60_000;
const MOST_SESSIONS = 10_000;
const DIALECT_MS = 60 * 60_000;
const MOST_DIALECTS = 1000;

const dialectKey = ({ connectionId, baseUrl }: ResolvedAccount) => `${connectionId} ${baseUrl}`;

const endIdle = ({ session }: Held, _accountId: string, reason: LRUCache.DisposeReason): void => {
  if (reason === 'expire' || reason === 'evict') void session.then(({ end }) => end()).catch(() => undefined);
};

/** Keeps one session for each account, and never lets two accounts share one. */
export function createMcpSessions(parts: McpSessionsParts): WithMcpSession {
  const { credentials, version, idleMs = IDLE_MS } = parts;
  const held = new LRUCache<string, Held>({
    ...atMost(MOST_SESSIONS),
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: endIdle,
  });
  // One answer for all accounts of a connection; asked for again after a while, because servers learn.
  const dialects = new LRUCache<string, McpDialect>({ ...atMost(MOST_DIALECTS), ttl: DIALECT_MS });

  function open({ account, connector, ...own }: McpContext, credential: number): Held {
    // Others wait for it too, and it is kept: it goes on when the caller goes away.
    const options = { ...own, signal: undefined };
    const fetch = createMcpFetch(parts, { account, connector, path: connector.mcp?.path ?? '/' });
    const dialect = dialects.get(dialectKey(account));
    const session = runExchange(options, (signal) =>
      openMcpSession({ fetch, version, dialect }, { signal, timeoutMs: options.timeoutMs }),
    );
    const opened = { session, credential, baseUrl: account.baseUrl };
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

  async function current(context: McpContext): Promise<Held> {
    const { account } = context;
    const { version: credential } = await credentials.current(account);
    const known = held.get(account.id);
    const isRight = known?.credential === credential && known.baseUrl === account.baseUrl;
    return isRight ? known : open(context, credential);
  }

  return async (context, work) => {
    const { timeoutMs } = context;
    const attempt = (session: McpSession) =>
      runExchange(context, (signal) => work(session, { signal, timeoutMs }));
    const first = await current(context);
    const session = await first.session;
    try {
      return await attempt(session);
    } catch (error) {
      const ended = session.endedBy(error);
      if (ended === undefined) throw error;
      if (ended === 'dialect') dialects.delete(dialectKey(context.account));
      drop(context.account.id, first);
      return attempt(await (await current(context)).session);
    }
  };
}
