/**
 * What a proxied request costs at least: the duties of the service's hot path, written by hand on node:http and undici for
 * one account, and nothing else. It shows what the path has to do; what it must not do is in the service's own tests.
 * Where the service decides by more rules, this file refuses more.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { PEER_ACCOUNT, peerSettings } from './settings.ts';

const { port, upstream, token, credential } = peerSettings();
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const pool = new Pool(upstream, { headersTimeout: 30_000, bodyTimeout: 30_000 });
const applications = new Map([[digest(token), 'app_bench']]);
const accounts = new Map([[`app_bench ${PEER_ACCOUNT}`, { pool, authorization: `Bearer ${credential}` }]]);

/** What frames a message, names its way or stands for credentials is the proxy's own to say. */
const NEVER_SENT = new Set(
  `authorization connection cookie expect forwarded host http2-settings keep-alive te trailer transfer-encoding upgrade
  x-http-method x-http-method-override x-method-override x-original-url x-real-ip x-rewrite-url`.split(/\s+/),
);
const NEVER_SENT_PREFIX = /^(?:proxy-|x-forwarded-)/;
const NEVER_RETURNED = new Set(
  `alt-svc clear-site-data connection keep-alive refresh set-cookie strict-transport-security te trailer transfer-encoding
  upgrade`.split(/\s+/),
);
const NEVER_RETURNED_PREFIX =
  /^(?:access-control-|content-security-policy|cross-origin-|permissions-policy|proxy-|sec-|svc-)/;

/** Of unreserved characters, escapes that make no separator, dot or further escape, and without dot or empty segments. */
const PLAIN_PATH =
  /^(?:\/(?!\.{1,2}(?:[/;]|$))(?:[\w\-.~!$&'()*+,;=:@]|%(?!2[5ef]|5c|[01]|7f)[\da-f]{2})+)+\/?$/i;
const TARGET = /^\/v1\/proxy\/([\w.~@-]+\/[\w.~@-]+)(\/[^?#]*)(\?[^#]*)?$/;

function requestHeaders(raw: readonly string[], named: string | undefined, authorization: string): string[] {
  const dropped =
    named === undefined
      ? []
      : named
          .toLowerCase()
          .split(',')
          .map((name) => name.trim());
  const sent: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (NEVER_SENT.has(name) || NEVER_SENT_PREFIX.test(name) || dropped.includes(name)) continue;
    sent.push(name, raw[index + 1] ?? '');
  }
  sent.push('authorization', authorization);
  return sent;
}

interface Admitted {
  readonly path: string;
  readonly account: { readonly pool: Pool; readonly authorization: string };
}

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Who asks, as which account, and where to. */
function admit({ headers, url = '' }: IncomingMessage): Admitted | Refusal {
  const [, bearer = ''] = /^bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const application = applications.get(digest(bearer));
  if (application === undefined) return { status: 401, code: 'invalid_token' };
  const [, name = '', path = '', query = ''] = TARGET.exec(url) ?? [];
  if (!PLAIN_PATH.test(path)) return { status: 400, code: 'invalid_request' };
  const account = accounts.get(`${application} ${name}`);
  if (account === undefined) return { status: 404, code: 'account_not_found' };
  return { account, path: path + query };
}

function refuse(reply: ServerResponse, { status, code }: Refusal): void {
  const body = JSON.stringify({ error: { code, requestId: reply.getHeader('svc-request-id') } });
  reply.writeHead(status, { 'svc-error': code, 'content-type': 'application/json' }).end(body);
}

/** Sends the answer on as it comes: no faster than the caller reads, and no longer than the caller is there. */
function passOn(reply: ServerResponse): Dispatcher.DispatchHandler {
  let hasBegun = false;
  return {
    onRequestStart: (controller) => {
      reply.on('drain', () => controller.resume());
      reply.once('close', () => {
        if (!reply.writableFinished) controller.abort(new Error('The caller went away.'));
      });
    },
    onResponseStart: (_, status, headers) => {
      if (status < 200) return;
      for (const [name, value] of Object.entries(headers)) {
        if (value === undefined || NEVER_RETURNED.has(name) || NEVER_RETURNED_PREFIX.test(name)) continue;
        reply.setHeader(name, value);
      }
      reply.setHeader('content-security-policy', "default-src 'none'; sandbox");
      reply.setHeader('x-content-type-options', 'nosniff');
      reply.writeHead(status);
      // A small body came with its head, and goes on in one piece with it; no head waits for the first of some events.
      queueMicrotask(() => {
        if (!hasBegun) reply.flushHeaders();
      });
    },
    onResponseData: (controller, chunk) => {
      hasBegun = true;
      if (!reply.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      hasBegun = true;
      reply.end();
    },
    // An answer that has begun breaks off here as it did upstream, and never looks complete.
    onResponseError: () => {
      if (reply.headersSent) reply.destroy();
      else refuse(reply, { status: 502, code: 'connection_failed' });
    },
  };
}

function forward(request: IncomingMessage, reply: ServerResponse): void {
  reply.setHeader('svc-request-id', `req_${randomBytes(12).toString('hex')}`);
  const admitted = admit(request);
  if ('code' in admitted) {
    refuse(reply, admitted);
    return;
  }
  const { account, path } = admitted;
  const { method = 'GET', rawHeaders, headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  account.pool.dispatch(
    {
      method: method as Dispatcher.HttpMethod,
      path,
      headers: requestHeaders(rawHeaders, headers.connection, account.authorization),
      body: hasBody ? request : null,
    },
    passOn(reply),
  );
}

createServer(forward).listen(port, '127.0.0.1');
