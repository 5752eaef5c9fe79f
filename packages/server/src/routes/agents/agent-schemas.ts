import { TEXT_FORMS } from '../../text/text-forms.js';
import { closed, pageOf, pageQuery } from '../list-schema.js';
import { limits as tokenLimits } from '../token-schemas.js';

const text = { type: 'string' };
const identifier = { type: 'string', minLength: 1, maxLength: 256 };
const id = { type: 'string', minLength: 1, maxLength: 256 };
const { connections, tools, arguments: given, approve, readOnly } = tokenLimits;
const limits = closed({ connections, tools, arguments: given, approve, readOnly }, []);

const signInUrl = {
  type: 'string',
  description:
    'URL of your sign-in page. Browsers open it with sign_in_ticket; confirm the user with POST /v1/agent-sign-ins.',
};
const redirectUris = {
  type: 'array',
  items: text,
  description: 'Redirect URIs of the client. For http://127.0.0.1 and http://localhost, any port matches.',
};

const issuer = {
  ...text,
  description: 'OpenID Connect issuer, with its metadata at /.well-known/openid-configuration.',
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
  description: 'If omitted, the secret that is stored for this issuer and client id stays.',
};
const openId = { issuer, clientId: identifier, claim, scopes };
const hasClientSecret = { type: 'boolean' };

const registration = { type: 'boolean', description: 'True to let clients register themselves (RFC 7591).' };

export const accessSchema = closed(
  { signInUrl, openId: closed({ ...openId, hasClientSecret }), registration, limits },
  ['registration', 'limits'],
);
export const accessInputSchema = closed(
  {
    signInUrl,
    openId: {
      ...closed({ ...openId, clientSecret }, ['issuer', 'clientId']),
      description:
        'Alternative to signInUrl. Register the redirect URI /agents/{applicationId}/callback with the issuer.',
    },
    registration: { ...registration, default: false },
    limits: { ...limits, description: 'Limits of every client. The consent of a user cannot exceed them.' },
  },
  [],
);

export const clientInputSchema = closed({ name: text, redirectUris });
export const clientSchema = closed({ id: text, name: text, redirectUris, createdAt: text });
export const clientsSchema = closed({ items: { type: 'array', items: clientSchema } });
export const clientParams = closed({ agentClientId: id });

export const grantsSchema = pageOf(
  closed({
    id: text,
    identifier: text,
    clientId: text,
    clientName: text,
    resource: text,
    scope: text,
    createdAt: text,
    usedAt: { ...text, description: 'When the client last received a token.' },
    expiresAt: text,
    revokedAt: { type: ['string', 'null'] },
  }),
);
export const grantsQuery = pageQuery({ identifier });
export const grantParams = closed({ agentGrantId: id });

export const signInSchema = closed({
  ticket: {
    type: 'string',
    minLength: 1,
    maxLength: 256,
    description: 'Value of sign_in_ticket in the query of your sign-in page.',
  },
  identifier: { ...identifier, description: 'User who is signed in to the application in this browser.' },
});
export const redirectSchema = closed({
  redirectTo: {
    ...text,
    description: 'Redirect this browser to it. The URL works in no other browser.',
  },
});
