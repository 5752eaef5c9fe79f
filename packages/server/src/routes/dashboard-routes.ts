import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import {
  type BuiltFile,
  type BuiltFiles,
  digestOf,
  ENCODINGS,
  type Encoding,
} from '../listener/built-files.js';
import { readAccept } from '../text/accept.js';
import { basePathOf } from '../text/base-path.js';
import { createSessionCookie } from './operator/operator-cookies.js';

const PAGE = 'index.html';
/**
 * Folder of build files with a digest in their names. Such a file never changes, so browsers may cache it forever.
 */
const HASHED = 'assets/';

const FOREVER = 'public, max-age=31536000, immutable';

/** Security headers of every file of the dashboard. */
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

/**
 * Values of the header Vary, for static files and for the HTML page. The headers of the page also depend on
 * Sec-Fetch-Site.
 */
const VARY = { file: 'Accept-Encoding', page: 'Accept-Encoding, Sec-Fetch-Site' };

/** Cookie with the id of the application that the operator selected last. The dashboard's JavaScript writes it. */
const LAST_APPLICATION = 'svc-application';
/** Matches ids that need no encoding in a URL. */
const PLAIN_ID = /^[\w.-]{1,256}$/;

const schema = { hide: true };

/**
 * Builds the `Link` header that makes the browser preload the data of the overview page. Used only with a session
 * cookie, because browsers log a refused preload in the console.
 */
function preloadOverview({ cookies }: FastifyRequest, basePath: string): string | undefined {
  const { [LAST_APPLICATION]: last } = cookies;
  if (last !== undefined && !PLAIN_ID.test(last)) return undefined;
  const query = last === undefined ? '' : `?applicationId=${last}`;
  return `<${basePath}/operator/v1/overview${query}>; rel=preload; as=fetch; crossorigin`;
}

/** Values of Sec-Fetch-Site for a page that the user opened directly (`none`) or from this site (`same-origin`). */
const OPENED_BY_NOBODY_ELSE: readonly unknown[] = ['none', 'same-origin'];

/**
 * Isolates the window from another site that opened it. Old browsers send no Sec-Fetch-Site, so their opener is unknown
 * and they get the policy too. Pages opened directly or from this site do not get the policy, because it makes browsers
 * start another process, which costs 125 ms.
 */
const openerPolicy = ({ headers }: FastifyRequest) =>
  OPENED_BY_NOBODY_ELSE.includes(headers['sec-fetch-site'])
    ? {}
    : { 'cross-origin-opener-policy': 'same-origin' };

function chooseEncoding({ bodies }: BuiltFile, header: string | undefined): Encoding {
  const accepted = readAccept(header).filter(({ weight }) => weight > 0);
  const chosen = ENCODINGS.find((each) => bodies[each] && accepted.some(({ name }) => name === each));
  return chosen ?? 'identity';
}

const hasTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((each) => [tag, `W/${tag}`, '*'].includes(each.trim()));

interface Sending {
  readonly cacheControl: string;
  readonly vary: string;
  /** Headers of this response only. Other responses with the same file do not have them. */
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
  // The ETag covers the additional headers, so that a cached page does not keep outdated headers.
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
    'The dashboard is not built. Run `npm start`, which builds it, or `turbo run build --filter=@svc/server`.',
  );

/**
 * Inserts the base path of the service into the HTML page. The build writes relative file names, which fail because the
 * page is served at many URLs.
 */
export function buildPage(html: string, environmentUrl: string): string {
  const basePath = basePathOf(environmentUrl).replaceAll('&', '&amp;');
  return html
    .replace('data-base-path=""', `data-base-path="${basePath}"`)
    .replaceAll('="./', `="${basePath}/dashboard/`);
}

/**
 * Adds the routes of the dashboard for operators. Every path below /dashboard that is not a file returns the
 * dashboard's HTML page.
 */
export function addDashboardRoutes(
  app: FastifyInstance,
  {
    dashboardFiles,
    environmentUrl,
  }: {
    readonly dashboardFiles: () => Promise<BuiltFiles>;
    /** Public URL of the service, under which operators open the dashboard. */
    readonly environmentUrl: string;
  },
): void {
  const session = createSessionCookie(environmentUrl);
  const basePath = basePathOf(environmentUrl);

  async function serveDashboard(request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) {
    const files = await dashboardFiles();
    const name = request.params['*'] ?? '';
    const file = files.get(name);
    if (file && name.startsWith(HASHED)) {
      return sendFile(request, reply, file, { cacheControl: FOREVER, vary: VARY.file });
    }
    // A missing asset of an older build gets 404 instead of the page, because the browser would parse the page as a
    // script or style.
    if (name.startsWith(HASHED))
      throw new ServiceError(
        'not_found',
        'The dashboard has no file at this URL. If a dashboard page requested the file, reload that page: the service may have been updated.',
      );
    const page = file ?? files.get(PAGE);
    if (!page) throw notBuilt();
    const isOverview = name === '' && session.read(request) !== undefined;
    const link = isOverview ? preloadOverview(request, basePath) : undefined;
    const own = { ...openerPolicy(request), ...(link !== undefined && { link }) };
    return sendFile(request, reply, page, { cacheControl: 'no-cache', vary: VARY.page, own });
  }

  app.register(async (scope) => {
    await scope.register(cookie);
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/',
      schema,
      handler: async (_request, reply) => reply.redirect(`${basePath}/dashboard/`, 303),
    });
    for (const url of ['/dashboard', '/dashboard/*'])
      scope.route({ method: ['GET', 'HEAD'], url, schema, handler: serveDashboard });
  });
}
