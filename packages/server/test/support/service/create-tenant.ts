import { randomBytes } from 'node:crypto';
import { createCore } from '../../../src/assembly/core.js';
import type { CoreParts } from '../../../src/assembly/core-parts.js';
import type { ConnectionSettings } from '../../../src/connections/connection-settings.js';
import type { Connector, Connectors } from '../../../src/connections/connector.js';
import type { Fetch } from '../../../src/http/fetch.js';
import {
  type AuthorizationServerOptions,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from '../upstreams/authorization-server.js';
import { addApplication, createServiceParts } from './service-parts.js';
import { testFetch } from './test-fetch.js';

export const ENVIRONMENT_URL = 'https://svc.example.com';
const inject = { header: 'Authorization', value: 'Bearer {credential}' };

const mail: Connector = {
  id: 'mail',
  title: 'Mail',
  service: 'Mail',
  baseUrl: 'https://api.mail.example.com',
  hosts: {},
  auth: {
    type: 'oauth2',
    authorizationEndpoint: 'https://auth.mail.example.com/authorize',
    tokenEndpoint: 'https://auth.mail.example.com/token',
    revocationEndpoint: 'https://auth.mail.example.com/revoke',
    issuer: 'https://auth.mail.example.com',
    authorizationParameters: { prompt: 'consent' },
    errorCodes: {
      grantOver: ['seat_lost'],
      cancelled: ['user_left'],
      refusedByAdministrator: ['it_said_no'],
      administratorConsent: ['ask_it', 'MAIL65001'],
      invalidScope: ['MAIL70011'],
      clientNotAllowed: ['MAIL700016'],
      temporarilyUnavailable: ['MAIL90033'],
    },
    administratorConsent: { path: '../it/agree', parameters: { all: 'yes' }, returned: 'it_agreed' },
    tokenRequest: { body: 'form', clientAuthentication: 'body', headers: {} },
    scopes: [
      {
        name: 'read',
        description: 'Read.',
        consent: { en: 'Read mails', de: 'E-Mails lesen' },
        default: true,
      },
      { name: 'write', description: 'Write.', default: false },
    ],
    subject: 'user',
    inject,
  },
};
const keyed: Connector = {
  ...mail,
  id: 'keyed',
  title: 'Keyed',
  service: 'Keyed',
  regions: { us: 'https://api.mail.example.com', eu: 'https://eu.mail.example.com' },
  hosts: {
    labels: { baseUrl: 'https://labels.example.com', headers: {} },
    tracking: { baseUrl: 'https://tracking.example.com', credential: 'tracking_token', headers: {} },
  },
  auth: {
    type: 'api_key',
    inject,
    credentials: [
      { name: 'tracking_token', title: 'Tracking token', description: 'Of the tracking service.' },
    ],
  },
};
const bearer: Connector = {
  ...mail,
  id: 'bearer',
  title: 'Bearer',
  service: 'Bearer',
  auth: { type: 'bearer_token', inject, credentials: [] },
};

export const CONNECTORS: Connectors = new Map(
  [mail, keyed, bearer].map((connector) => [connector.id, connector]),
);

export interface TenantOptions extends AuthorizationServerOptions {
  readonly parts?: Partial<CoreParts>;
  readonly path?: string;
  /** Settings of the connection. Default: the client and the endpoints of the authorization server. */
  readonly settings?: ConnectionSettings;
  /** Creates the service's `fetch` after the authorization server has started. Default: `testFetch`. */
  readonly fetchOf?: (upstream: TestAuthorizationServer) => Fetch;
}

/** Creates an application with a connection `mail` to a strict authorization server, over a real database. */
export async function createTenant({ parts, path, settings, fetchOf, ...options }: TenantOptions = {}) {
  const upstream = await startAuthorizationServer(options);
  const service = await createServiceParts(path === undefined ? {} : { path });
  const applicationId = await addApplication(service, 'Acme Notes');
  const given: CoreParts = {
    ...service,
    connectors: CONNECTORS,
    tools: new Map(),
    fetch: fetchOf?.(upstream) ?? testFetch,
    verifyCredential: async () => ({ outcome: 'unknown' }),
    environmentUrl: ENVIRONMENT_URL,
    isAllowedOrigin: (_, origin) => origin === upstream.origin,
    jitter: () => 0,
    wait: async () => {},
    ...parts,
  };
  const core = createCore(given);
  const connection = await core.connections.create(applicationId, {
    connectionName: 'mail',
    connector: 'mail',
    ...(settings ?? {
      clientId: upstream.clientId,
      clientSecret: upstream.clientSecret,
      authorizationEndpoint: upstream.authorizationEndpoint,
      tokenEndpoint: upstream.tokenEndpoint,
      revocationEndpoint: upstream.revocationEndpoint,
    }),
  });
  const browser = randomBytes(32).toString('base64url');

  /** Creates an authorization link and opens it. Returns the link's token and the upstream authorization URL. */
  async function begin(identifier: string, { replace = false }: { readonly replace?: boolean } = {}) {
    const { link } = await core.links.create(
      applicationId,
      { connectionName: 'mail', identifier },
      { replace },
    );
    const token = link.slice(`${ENVIRONMENT_URL}/connect/`.length);
    return { token, ...(await core.authorize.begin(token, browser)) };
  }

  const complete = (callback: URL, change: { browser?: string | undefined; connectionId?: string } = {}) =>
    core.authorize.complete({
      connectionId: connection.id,
      parameters: callback.searchParams,
      browser,
      ...change,
    });

  /** Runs the whole authorization flow of a user who consents, and returns the resolved account. */
  async function connect(identifier: string, { subject = 'ada', replace = false } = {}) {
    const { redirectTo } = await begin(identifier, { replace });
    await complete(upstream.approve(redirectTo, { subject }));
    return core.resolve.byName(applicationId, { connectionName: 'mail', identifier });
  }

  const account = (identifier: string) =>
    core.accounts.get(applicationId, { connectionName: 'mail', identifier });
  const row = async (identifier: string) => {
    const account = await service.storage.accounts.findByName(applicationId, {
      connectionName: 'mail',
      identifier,
    });
    if (!account) throw new Error(`no account of ${identifier}`);
    return account;
  };

  return {
    ...service,
    ...core,
    given,
    upstream,
    applicationId,
    connection,
    browser,
    begin,
    complete,
    connect,
    account,
    row,
  };
}

export type Tenant = Awaited<ReturnType<typeof createTenant>>;
