/**
 * Hand-written proxy for comparison with the service, built with node:http and undici. It does the service's work for a
 * single account: it checks the bearer token, filters headers, injects the credential and streams bodies. It has fewer
 * rules, so it refuses some requests that the service accepts.
 */
import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { PEER_ACCOUNT, readPeerSettings } from './settings.ts';

const { port, upstream, token, credential } = readPeerSettings();
const digest = (text: string): string => hash('sha256', text, 'base64url');

const pool = new Pool(upstream, { headersTimeout: 30_000, bodyTimeout: 30_000 });
const applications = new Map([[digest(token), 'app_bench']]);
const accounts = new Map([[`app_bench ${PEER_ACCOUNT}`, { pool, authorization: `Bearer ${credential}` }]]);

/**
 * Request headers that the proxy does not forward. They control framing, routing or credentials, so the proxy sets its
 * own.
 */
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

/**
 * Matches only paths without empty segments and dot segments. Escapes of a separator, a dot, a percent sign or a
 * control character do not match.
 */
const PLAIN_PATH =
  /^(?:\/(?!\.{1,2}(?:[/;]|$))(?:[\w\-.~!$&'()*+,;=:@]|%(?!2[5ef]|5c|[01]|7f)[\da-f]{2})+)+\/?$/i;
const TARGET = /^\/v1\/proxy\/([\w.~@-]+\/[\w.~@-]+)(\/[^?#]*)(\?[^#]*)?$/;

/** Removes the caller's forbidden headers, and adds the account's credential. */
function buildRequestHeaders(
  raw: readonly string[],
  connection: string | undefined,
  authorization: string,
): string[] {
  const hopByHop = connection === undefined ? [] : connection.toLowerCase().split(',');
  const dropped = hopByHop.map((name) => name.trim());
  const sent: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (NEVER_SENT.has(name) || NEVER_SENT_PREFIX.test(name) || dropped.includes(name)) continue;
    sent.push(name, raw[index + 1] ?? '');
  }
  sent.push('authorization', authorization);
  return sent;
}

interface Admission {
  readonly path: string;
  readonly account: { readonly pool: Pool; readonly authorization: string };
}

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Checks the application's bearer token, and reads the account and the upstream path from the URL. */
function admit({ headers, url = '' }: IncomingMessage): Admission | Refusal {
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

/**
 * Streams the upstream's response to the caller with back-pressure. Aborts the upstream request when the caller
 * disconnects.
 */
function streamTo(reply: ServerResponse): Dispatcher.DispatchHandler {
  let isWritten = false;
  return {
    onRequestStart: (controller) => {
      reply.on('drain', () => controller.resume());
      reply.once('close', () => {
        if (!reply.writableFinished) controller.abort(new Error('The caller disconnected.'));
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
      // Waits until the end of the tick, because a small body arrives in the same tick as its headers and one write can
      // send both. Sends headers alone if no body has arrived.
      queueMicrotask(() => {
        if (!isWritten) reply.flushHeaders();
      });
    },
    onResponseData: (controller, chunk) => {
      isWritten = true;
      if (!reply.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      isWritten = true;
      reply.end();
    },
    // Destroys the response to the caller if the upstream's response breaks off, so that it does not look complete.
    onResponseError: () => {
      if (reply.headersSent) reply.destroy();
      else refuse(reply, { status: 502, code: 'connection_failed' });
    },
  };
}

function forward(request: IncomingMessage, reply: ServerResponse): void {
  reply.setHeader('svc-request-id', `req_${randomUUID()}`);
  const admission = admit(request);
  if ('code' in admission) {
    refuse(reply, admission);
    return;
  }
  const { account, path } = admission;
  const { method = 'GET', rawHeaders, headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  account.pool.dispatch(
    {
      method: method as Dispatcher.HttpMethod,
      path,
      headers: buildRequestHeaders(rawHeaders, headers.connection, account.authorization),
      body: hasBody ? request : null,
    },
    streamTo(reply),
  );
}

createServer(forward).listen(port, '127.0.0.1');
