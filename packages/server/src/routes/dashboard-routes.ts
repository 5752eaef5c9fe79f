import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import {
  type BuiltFile,
  type BuiltFiles,
  digestOf,
  ENCODINGS,
  type Encoding,
} from '../listener/built-files.js';
import { readAccept } from './accept.js';
import type { HostCookie } from './host-cookie.js';
import { createSessionCookie } from './operator/session-cookie.js';

export interface DashboardParts {
  readonly dashboardFiles: () => Promise<BuiltFiles>;
  /** What operators' browsers see. */
  readonly environmentUrl: string;
}

const PAGE = 'index.html';
/** Files below it carry a digest in their names, and never change. */
const HASHED = 'assets/';

const FOREVER = 'public, max-age=31536000, immutable';

/** Of all that a browser gets of the dashboard. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** What decides on a file, and on a page with its headers. */
const VARY = { file: 'Accept-Encoding', page: 'Accept-Encoding, Sec-Fetch-Site' };

/** Of the browser's last application; its pages write it. */
const LAST_APPLICATION = 'svc-application';
/** What stands in an address as it is. */
const PLAIN_ID = /^[\w.-]{1,256}$/;

const schema = { hide: true };

/**
 * Has the browser ask at once for what the overview asks for when its script has run. Whoever has no session gets none: they would
 * be refused, which browsers tell on the console.
 */
function linkAhead({ cookies }: FastifyRequest): string | undefined {
  const { [LAST_APPLICATION]: last } = cookies;
  if (last !== undefined && !PLAIN_ID.test(last)) return undefined;
  const query = last === undefined ? '' : `?applicationId=${last}`;
  return `</operator/v1/overview${query}>; rel=preload; as=fetch; crossorigin`;
}

/** Who opens a page, as browsers say: its user, by the address bar or a link outside of the browser, and a page of ours. */
const OPENED_BY_NOBODY_ELSE: readonly unknown[] = ['none', 'same-origin'];

/**
 * Takes the window out of the reach of another site that opened it, or may have: who is no browser of today does not say. Nobody else
 * gets this policy, for which browsers start another process: an eighth of a second before the first page.
 */
const openerPolicy = ({ headers }: FastifyRequest) =>
  OPENED_BY_NOBODY_ELSE.includes(headers['sec-fetch-site'])
    ? {}
    : { 'cross-origin-opener-policy': 'same-origin' };

function chooseEncoding({ bodies }: BuiltFile, header: string | undefined): Encoding {
  const wanted = readAccept(header).filter(({ weight }) => weight > 0);
  const taken = ENCODINGS.find((each) => bodies[each] && wanted.some(({ name }) => name === each));
  return taken ?? 'identity';
}

const hasTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((each) => [tag, `W/${tag}`, '*'].includes(each.trim()));

interface Sending {
  readonly cacheControl: string;
  readonly vary: string;
  /** Headers that this one request gets. */
  readonly own?: Readonly<Record<string, string>>;
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
  { cacheControl, vary, own }: Sending,
) {
  const { headers, method } = request;
  const encoding = chooseEncoding(file, headers['accept-encoding']);
  const body = file.bodies[encoding] ?? file.bodies.identity;
  // Without its own tag a page that is kept would keep the headers that it came with.
  const tag = `"${[file.digest, encoding, ...(own ? [digestOf(JSON.stringify(own))] : [])].join('-')}"`;
  reply.headers({ ...HEADERS, ...own, vary, 'cache-control': cacheControl, etag: tag });
  if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.headers({ 'content-type': file.type, 'content-length': body.length });
  return reply.send(method === 'HEAD' ? undefined : body);
}

const notBuilt = () =>
  new ServiceError(
    'not_found',
    'The dashboard is not there: run `npm start`, which builds it, or `turbo run build --filter=@svc/server`.',
  );

function addDashboard(app: FastifyInstance, { dashboardFiles }: DashboardParts, session: HostCookie): void {
  const serve = async (request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) => {
    const files = await dashboardFiles();
    const name = request.params['*'] ?? '';
    const file = files.get(name);
    if (file && name.startsWith(HASHED)) {
      return sendFile(request, reply, file, { cacheControl: FOREVER, vary: VARY.file });
    }
    // What is left of an older version must not be taken for a script or a style.
    if (name.startsWith(HASHED))
      throw new ServiceError('not_found', 'There is no such file. Load the page again.');
    const page = file ?? files.get(PAGE);
    if (!page) throw notBuilt();
    const isOverview = name === '' && session.read(request) !== undefined;
    const link = isOverview ? linkAhead(request) : undefined;
    const own = { ...openerPolicy(request), ...(link !== undefined && { link }) };
    return sendFile(request, reply, page, { cacheControl: 'no-cache', vary: VARY.page, own });
  };
  for (const url of ['/dashboard', '/dashboard/*'])
    app.route({ method: ['GET', 'HEAD'], url, schema, handler: serve });
}

/** The operators' page. Every path below /dashboard that is no file is one of its own. */
export const dashboardRoutes =
  (parts: DashboardParts): FastifyPluginAsync =>
  async (app) => {
    app.route({
      method: ['GET', 'HEAD'],
      url: '/',
      schema,
      handler: async (_request, reply) => reply.redirect('/dashboard/', 303),
    });
    if (!app.hasReplyDecorator('setCookie')) await app.register(cookie);
    addDashboard(app, parts, createSessionCookie(parts.environmentUrl));
  };
