import { Mistake } from './mistake.js';
import { createToolResponder, type ToolParts, USE_SERVICE } from './respond-to-tool.js';
import { type FakeResponse, failed, newId, succeeded } from './responses.js';

interface FakeParts extends ToolParts {
  /** Path of the environment URL. Each request path begins with it. */
  readonly base: string;
  /** Called with a sentence for each mistake of the tested code or of the test. */
  readonly report: (sentence: string) => void;
}

/** Request, with the segments of its path and the account label in its query. */
interface RoutedRequest {
  readonly request: Request;
  readonly names: readonly string[];
  readonly account: string | undefined;
}

interface Route {
  readonly methods: readonly string[];
  readonly path: RegExp;
  readonly respond: (request: RoutedRequest) => FakeResponse | Promise<FakeResponse>;
}

const TOKEN_SECONDS = 900;
const LINK_MS = 30 * 60_000;

function createRoutes(parts: ToolParts): readonly Route[] {
  const respondToTool = createToolResponder(parts);
  return [
    {
      methods: ['POST'],
      path: /^\/oauth\/token$/,
      respond: () =>
        succeeded({ access_token: newId('token'), token_type: 'Bearer', expires_in: TOKEN_SECONDS }),
    },
    {
      methods: ['GET', 'PUT'],
      path: /^\/v1\/connections\/([^/]+)\/accounts\/([^/]+)$/,
      respond: async ({ request, names: [connectionName = '', identifier = ''], account }) => {
        const { metadata, tags } = JSON.parse((await request.text()) || '{}');
        const name = { connectionName, identifier, account };
        return succeeded(parts.accounts.getOrCreate({ ...name, metadata, tags }));
      },
    },
    {
      methods: ['POST'],
      path: /^\/v1\/connections\/([^/]+)\/accounts\/([^/]+)\/authorization-link$/,
      respond: ({ request }) =>
        succeeded({
          link: new URL(`/connect/${newId('link')}`, request.url).href,
          expiresAt: new Date(Date.now() + LINK_MS).toISOString(),
        }),
    },
    {
      methods: ['POST'],
      path: /^\/v1\/tools\/(\w+)\/execute$/,
      respond: async ({ request, names: [toolName = ''] }) =>
        respondToTool({
          toolName,
          body: JSON.parse(await request.text()),
          idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
        }),
    },
  ];
}

/** Creates the function that responds to requests like the service, for tool calls and connected accounts. */
export function createResponder({
  base,
  report,
  ...parts
}: FakeParts): (request: Request) => Promise<FakeResponse> {
  const routes = createRoutes(parts);

  async function route(request: Request): Promise<FakeResponse> {
    const { pathname, searchParams } = new URL(request.url);
    const account = searchParams.get('account') ?? undefined;
    const path = pathname.slice(base.length);
    for (const { methods, path: pattern, respond } of routes) {
      const match = methods.includes(request.method) ? pattern.exec(path) : null;
      if (match !== null) return respond({ request, names: match.slice(1).map(decodeURIComponent), account });
    }
    throw new Mistake(
      'not_found',
      `The fake service does not support ${request.method} ${pathname}. ${USE_SERVICE}`,
    );
  }

  return async (request) => {
    try {
      return await route(request);
    } catch (error) {
      const { code, message, details } =
        error instanceof Mistake
          ? error
          : new Mistake(
              'internal_error',
              `The fake service failed because of a bug in it. Report this to the developers of @svc/testing: ${error}`,
            );
      report(message);
      return failed({ code, message, details });
    }
  };
}
