import type { Answer, Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { MemoryShare } from '../listener/answer-memory.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Cancellation, Forward, ResolvedAccount } from '../upstream/forward.js';
import type { Send, UpstreamRequest } from '../upstream/request.js';
import { toFinal } from '../upstream/to-final.js';
import type { Trace } from '../upstream/trace.js';
import { upstreamFailed } from '../upstream/upstream-failed.js';
import { type EncodedBody, encodeBody } from './encode-body.js';
import { ACCEPTED_ENCODINGS, readJson } from './read-json.js';
import type { Repeat } from './repeat.js';

export interface SendParts {
  readonly forward: Forward;
  readonly now: () => Date;
}

export interface SendContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** Every call of the tool is a read, whatever its method. */
  readonly isReadOnly: boolean;
  /** The deadline of a tool that may take minutes. */
  readonly timeoutMs?: number | undefined;
  readonly repeat: Repeat;
  readonly signal?: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace?: Trace | undefined;
  readonly holding: Pick<MemoryShare, 'take'>;
}

function queryOf(query: UpstreamRequest['query'] = {}): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const items = Array.isArray(value) ? value : [value];
    for (const item of items)
      if (item !== undefined) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(item)}`);
  }
  return pairs.join('&');
}

const OWN = { accept: 'application/json', 'accept-encoding': ACCEPTED_ENCODINGS };

const OWN_WITH_BODY = { ...OWN, 'content-type': 'application/json' };
const PLAIN = Object.entries(OWN).flat();
const PLAIN_WITH_BODY = Object.entries(OWN_WITH_BODY).flat();

function headersOf({ headers }: UpstreamRequest, body: EncodedBody | undefined): readonly string[] {
  const isJson = body?.contentType === OWN_WITH_BODY['content-type'];
  if (headers === undefined && body === undefined) return PLAIN;
  if (headers === undefined && isJson) return PLAIN_WITH_BODY;
  const own = body === undefined ? OWN : { ...OWN, 'content-type': body.contentType };
  return Object.entries({ ...own, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}

async function sendOnce(
  request: UpstreamRequest,
  { parts, context }: { readonly parts: SendParts; readonly context: SendContext },
): Promise<Answer> {
  const { account, connector, timeoutMs, signal, onStatus, trace, holding } = context;
  const encoded = encodeBody(request);
  const response = await parts.forward(account, {
    method: request.method,
    host: request.host,
    path: request.path,
    query: queryOf(request.query),
    headers: headersOf(request, encoded),
    body: encoded?.bytes,
    credential: request.credential,
    timeoutMs,
    signal,
    trace,
  });
  onStatus(response.status);
  const body = await readJson(response, request.method, holding).catch((error: unknown) => {
    throw toFinal(error, connector);
  });
  const isFailure = response.status >= 300 || findErrorRule(connector.errors, response.status, body);
  if (isFailure) throw upstreamFailed({ ...response, body }, { ...parts, ...context });
  if (typeof body === 'string') {
    throw new ServiceError('upstream_failed', `${connector.title} answered with a body that is not JSON.`, {
      status: response.status,
      body,
    });
  }
  return { status: response.status, body, headers: response.headers };
}

/** Sends one request as the account and gives the parsed body, or `null` when it is empty, with its headers. Throws as `Send` does. */
export type Exchange = (request: UpstreamRequest) => Promise<Answer>;

/** What a tool sends with. */
export const createExchange =
  (parts: SendParts) =>
  (context: SendContext): Exchange =>
  (request) => {
    const isRead = context.isReadOnly || request.method === 'GET' || request.method === 'HEAD';
    return context.repeat({ isRead, run: () => sendOnce(request, { parts, context }) });
  };

/** What a handler sends with. */
export const toSend =
  (exchange: Exchange): Send =>
  async (request) =>
    (await exchange(request)).body;
