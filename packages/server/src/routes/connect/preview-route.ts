import type { FastifyInstance } from 'fastify';
import type { Applications } from '../../applications/applications.js';
import { type ConsentRequest, keyFormOf, permissionsOf } from '../../authorization/permissions.js';
import { type Connector, type Connectors, findConnector } from '../../connections/connector.js';
import { closed } from '../../listener/list-schema.js';
import { connectPreview } from './connect-pages.js';
import { LANGUAGES, type Language } from './connect-texts.js';
import { PAGE_HEADERS, sendPage } from './page-frame.js';

interface PreviewParts {
  readonly applications: Pick<Applications, 'get'>;
  readonly connectors: Connectors;
}

interface PreviewRoute {
  readonly Querystring: { readonly connector?: string; readonly language: Language };
}

/** Identifier of the invented user on the preview of the connect page. */
const IDENTIFIER = 'ada@example.com';

const query = closed(
  {
    connector: { type: 'string', maxLength: 64 },
    language: { type: 'string', enum: [...LANGUAGES], default: LANGUAGES[0] },
  },
  [],
);

const hasConsent = ({ auth }: Connector): boolean => auth.type === 'oauth2';

/**
 * Adds the preview of the connect page for operators. Its buttons do nothing. A hook of `app` must authenticate
 * operators.
 */
export function addConnectPreview(app: FastifyInstance, { applications, connectors }: PreviewParts): void {
  async function describe(applicationId: string, id: string | undefined): Promise<ConsentRequest> {
    const { name, logo, color } = await applications.get(applicationId);
    const first = [...connectors.values()].find(hasConsent)?.id ?? '';
    const connector = findConnector(connectors, id ?? first);
    return {
      applicationName: name,
      applicationLogo: logo,
      applicationColor: color,
      connectorTitle: connector.title,
      connectorLogo: connector.logo,
      identifier: IDENTIFIER,
      mayReplace: false,
      isBegun: false,
      refusesInAppBrowsers: false,
      keyForm: keyFormOf(connector),
      permissions: permissionsOf(
        connector,
        { scopes: null },
        { link: { requestedScopes: null }, account: { wantedScopes: null } },
      ),
    };
  }

  app.get<PreviewRoute>(
    '/connect-page',
    { schema: { hide: true, querystring: query } },
    async ({ applicationId, query: { connector, language } }, reply) => {
      const question = await describe(applicationId, connector);
      return sendPage(reply.headers(PAGE_HEADERS), connectPreview(language, question), { parties: question });
    },
  );
}
