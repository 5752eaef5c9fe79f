import type { ServerResponse } from 'node:http';
import { checkProxied } from '../connections/approval-policy.js';
import type { Call, ResponseHeaders } from '../front/call.js';
import { type LimitCalls, RATE_HEADERS } from '../front/limit-calls.js';
import { type BodyLimits, hasBody, openRequestBody } from '../front/request-body.js';
import type { Work } from '../front/serve.js';
import type { AnswerMemory } from '../listener/answer-memory.js';
import { toOwnError } from '../listener/error-reply.js';
import { countsCalls, shownBy, type TokenUses } from '../tokens/token-uses.js';
import type { BeginExecution, RunningExecution } from '../upstream/execution.js';
import type { Forward, HttpResponse, OpenedBody } from '../upstream/forward.js';
import { responseHeaders } from '../upstream/headers.js';
import { type AskedPlace, askReadable, keepsLinks, leadBodyBack, leadHeadersBack } from './answer-links.js';
import type { Edit } from './edit-json.js';
import { findHiding, hideIn } from './hide-inner-credentials.js';
import { judge } from './judge.js';
import type { LinkPlace, Links } from './links.js';
import type { Locate } from './locate.js';
import { askUpstream, nameUpstream } from './mcp-links.js';
import { readMethodOverride } from './method-override.js';
import { oneMessage } from './one-message.js';
import type { RoutedRequest, RouteProxy } from './proxy-route.js';

export interface ProxyParts {
  readonly locate: Locate;
  readonly tokenUses: Pick<TokenUses, 'take'>;
  readonly route: RouteProxy;
  readonly links: Links;
  readonly forward: Forward;
  readonly beginExecution: BeginExecution;
  readonly limitAccount: LimitCalls;
  readonly memory: AnswerMemory;
  /** Told of a request whose body may take long. */
  readonly expectUpload: (request: Call['request']) => void;
  readonly limits: Omit<BodyLimits, 'holding'>;
}

const isEndedByConnection = ({ status, headers }: HttpResponse, method: string | undefined): boolean =>
  ![204, 304].includes(status) &&
  method !== 'HEAD' &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

// Whether such a body is complete nobody can know: a last chunk of ours would say that it is.
function endByConnection(response: ServerResponse, answered: ResponseHeaders): void {
  response.removeHeader('transfer-encoding');
  answered['connection'] = 'close';
}

const OF_THE_BYTES = ['content-length', 'content-md5', 'content-digest', 'digest'];

/** Leads the links of an answer back to the service: those of its headers at once, those of its body by what is returned. */
type LeadBack = (answered: ResponseHeaders, upstream: HttpResponse) => Edit | undefined;

interface Leading {
  readonly links: Links;
  readonly at: AskedPlace;
}

function leadingOf(
  { request }: Call,
  { links }: ProxyParts,
  { routed, ...at }: LinkPlace & { readonly routed: RoutedRequest },
): Leading {
  const keeps = keepsLinks(request.headers);
  const isMcp = !keeps && links.isMcp(at.account, routed);
  return { links, at: { ...at, asked: routed, calledAs: request.headers.host ?? '', keeps, isMcp } };
}

const leadingBack =
  ({ request }: Call, { links, at }: Leading): LeadBack =>
  (answered, upstream) => {
    leadHeadersBack(answered, links, at);
    return request.method === 'HEAD' ? undefined : leadBodyBack(upstream, links, at);
  };

interface Answering {
  readonly execution: RunningExecution;
  readonly leadBack: LeadBack;
}

/** Streams an upstream answer to the caller. A body that breaks off breaks off here too, and never looks complete. */
function answer(call: Call, upstream: HttpResponse, { execution, leadBack }: Answering): void {
  const { status, headers, body } = upstream;
  const { request, response } = call;
  call.onClose(() =>
    execution.finish({
      status,
      upstreamStatus: status,
      errorCode: response.writableFinished ? null : 'connection_failed',
    }),
  );
  const answered: ResponseHeaders = Object.assign(responseHeaders(headers), call.headers);
  // Of both limits the caller has to keep, the upstream's own are news.
  for (const name of RATE_HEADERS) if (headers[name] !== undefined) answered[name] = headers[name];
  const rewriting = leadBack(answered, upstream);
  if (isEndedByConnection(upstream, request.method)) endByConnection(response, answered);
  // Links of other lengths: the last chunk tells the end then.
  if (rewriting) for (const name of OF_THE_BYTES) delete answered[name];
  response.writeHead(status, answered);
  body.pipe(response, rewriting);
}

interface Opening {
  readonly path: string;
  readonly leading: Leading;
  /** Whether it may be one message and no more. */
  readonly isOne: boolean | undefined;
}

function bodyOpener(
  call: Call,
  { limits, memory }: ProxyParts,
  { path, leading, isOne }: Opening,
): () => Promise<OpenedBody> {
  const { applicationId, onClose, request } = call;
  const hiding = findHiding(request.headers, path);
  return async () => {
    const holding = memory.open(applicationId);
    onClose(holding.release);
    const given = await openRequestBody(request, { ...limits, holding });
    const opened = isOne ? await oneMessage(given, request.headers) : given;
    if (!hiding && leading.at.isMcp) return askUpstream(opened, request.headers, leading);
    return hiding ? hideIn(opened, hiding()) : opened;
  };
}

function headersFor(raw: readonly string[], { links, at }: Leading): readonly string[] {
  if (at.isMcp) return nameUpstream(askReadable(raw), links, at);
  return at.keeps || links.fieldsOf(at.account).length === 0 ? raw : askReadable(raw);
}

// An absolute link in the place of a path: no path has two slashes in a row.
const isLink = (path: string): boolean => /^\/https?:\/\//i.test(path);

/** Forwards a request to the upstream as a connected account. */
export const createProxy =
  (parts: ProxyParts): Work =>
  async (call) => {
    const { headers, id: requestId, request, signal } = call;
    const { method = '', rawHeaders } = request;
    const isWithBody = hasBody(request);
    const override = readMethodOverride(request.headers);
    if (isWithBody) parts.expectUpload(request);
    const shown = call.bearer && shownBy(call.bearer, '/v1');
    const { account: found, path: given, query, place } = parts.locate(call, shown);
    const account = found instanceof Promise ? await found : found;
    parts.limitAccount(request, headers, account.id);
    const execution = parts.beginExecution(account, {
      kind: 'proxy',
      toolName: null,
      method: override?.method ?? method,
      requestId,
    });
    const at = { account, place };
    try {
      const path = isLink(given) ? parts.links.toPath(given.slice(1), at) : given;
      if (shown || account.approve) {
        const proxied = judge(request, { method: override?.method ?? method, path });
        checkProxied(account.approve, proxied);
        if (shown) await parts.tokenUses.take(shown, { account, proxied });
      }
      const routed = parts.route(account, { method, override, path, query });
      const leading = leadingOf(call, parts, { ...at, routed });
      const opening = { path: routed.path, leading, isOne: routed.isToMcp && shown && countsCalls(shown) };
      const upstream = await parts.forward(account, {
        ...routed,
        headers: headersFor(rawHeaders, leading),
        openBody: isWithBody ? bodyOpener(call, parts, opening) : undefined,
        signal,
        trace: execution.trace,
      });
      answer(call, upstream, { execution, leadBack: leadingBack(call, leading) });
    } catch (error) {
      // What the caller still sends would be read as the next request.
      if (isWithBody && !request.complete) headers['connection'] = 'close';
      const { status, code } = toOwnError(error);
      execution.finish({ status, errorCode: code });
      throw error;
    }
  };
