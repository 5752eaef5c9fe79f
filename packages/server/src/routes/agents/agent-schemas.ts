import { closed, named, pageOf, pageQuery, timeOrder } from '../../listener/list-schema.js';
import { TEXT_FORMS } from '../../text/text-forms.js';
import { etagSchema } from '../etag-schema.js';
import { limits as tokenLimits } from '../token-schemas.js';

const text = { type: 'string' };
const identifier = { type: 'string', minLength: 1, maxLength: 256 };
const id = { type: 'string', minLength: 1, maxLength: 256 };
const { connections, tools, arguments: given, approve, readOnly } = tokenLimits;
const limits = named('AgentLimits', closed({ connections, tools, arguments: given, approve, readOnly }, []), {
  readOnly: true,
});

const signInUrl = {
  type: 'string',
  description:
    'URL of your sign-in page. Browsers open this URL with the query parameter `sign_in_ticket`. Confirm the user with POST /v1/agent-sign-ins.',
};
const redirectUris = {
  type: 'array',
  items: { ...text, examples: ['http://127.0.0.1/callback'] },
  description: 'Redirect URIs of the client. For http://127.0.0.1 and http://localhost, any port matches.',
};

const issuer = {
  ...text,
  description:
    'URL of the OpenID Connect issuer, which publishes its metadata at /.well-known/openid-configuration.',
};
const claim = {
  ...identifier,
  description: 'Claim of the ID token with the identifier of the user. Default: sub.',
};
const scopes = { type: 'array', items: { ...identifier, pattern: TEXT_FORMS.scope.pattern }, maxItems: 20 };
const clientSecret = {
  ...text,
  minLength: 1,
  maxLength: 1024,
  description:
    'Client secret from the issuer. If omitted, the stored client secret for this issuer and client id stays.',
};
const openId = { issuer, clientId: identifier, claim, scopes };
const hasClientSecret = { type: 'boolean' };

const registration = {
  type: 'boolean',
  description: 'True to let MCP clients register themselves (RFC 7591).',
};

const EXAMPLE = { signInUrl: 'https://app.example.com/agents/sign-in', registration: true };

export const accessSchema = named(
  'AgentAccess',
  closed(
    {
      signInUrl,
      openId: closed({ ...openId, hasClientSecret }),
      registration,
      limits,
      etag: etagSchema,
    },
    ['registration', 'limits', 'etag'],
  ),
  EXAMPLE,
);
export const accessInputSchema = named(
  'AgentAccessSettings',
  closed(
    {
      signInUrl,
      openId: {
        ...closed({ ...openId, clientSecret }, ['issuer', 'clientId']),
        description:
          'OpenID Connect issuer at which users sign in. Send either this or `signInUrl`. Register the redirect URI /agents/{applicationId}/callback with the issuer.',
      },
      registration: { ...registration, default: false },
      limits: {
        ...limits,
        description: 'Limits of every MCP client. The consent of a user cannot exceed these limits.',
      },
    },
    [],
  ),
  EXAMPLE,
);

const CLIENT_ID = 'client_0193f2a8c4d17b3e9a5c6d7e8f901234';
const clientName = { ...text, examples: ['Desktop assistant'] };
export const clientInputSchema = named('NewAgentClient', closed({ name: clientName, redirectUris }));
export const clientSchema = named(
  'AgentClient',
  closed({ id: text, name: clientName, redirectUris, createdAt: text }),
  { id: CLIENT_ID },
);
export const clientsSchema = named(
  'AgentClientList',
  closed({ items: { type: 'array', items: clientSchema } }),
);
export const clientParams = closed({
  agentClientId: { ...id, description: 'Id of the MCP client.', examples: [CLIENT_ID] },
});

const GRANT = {
  id: 'grant_0193f2a8c4d17b3e9a5c6d7e8f901234',
  clientId: CLIENT_ID,
  clientName: 'Desktop assistant',
  resource: 'http://localhost:4400/mcp/apps/app_0193f2a8c4d17b3e9a5c6d7e8f901234',
  scope: 'read',
};

export const grantsSchema = pageOf(
  named(
    'AgentGrant',
    closed({
      id: text,
      identifier: text,
      clientId: text,
      clientName: text,
      resource: text,
      scope: text,
      createdAt: text,
      usedAt: {
        ...text,
        description: 'When the client last received a token.',
        examples: ['2026-11-20T09:00:00.000Z'],
      },
      expiresAt: text,
      revokedAt: { type: ['string', 'null'] },
    }),
    { ...GRANT, usedAt: '2026-11-20T09:00:00.000Z' },
  ),
);
export const grantsQuery = pageQuery({
  identifier: { ...identifier, description: 'Identifier of the user whose grants are listed.' },
  order: timeOrder('grants'),
});
export const grantParams = closed({
  agentGrantId: { ...id, description: 'Id of the grant.', examples: [GRANT.id] },
});

export const signInSchema = named(
  'AgentSignIn',
  closed({
    ticket: {
      type: 'string',
      minLength: 1,
      maxLength: 256,
      description: 'Value of the query parameter `sign_in_ticket` of your sign-in page.',
      examples: ['tick_9qXc2b7Lk0'],
    },
    identifier: {
      ...identifier,
      description: 'Identifier of the user who is signed in to your application in this browser.',
    },
  }),
);
export const redirectSchema = named(
  'AgentSignInResult',
  closed({
    redirectTo: {
      ...text,
      description: 'URL to which to redirect this browser. The URL works in no other browser.',
      examples: ['http://localhost:4400/agents/app_0193f2a8c4d17b3e9a5c6d7e8f901234/consent/K3v9'],
    },
  }),
);
