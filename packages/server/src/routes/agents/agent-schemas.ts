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
    'Where browsers are sent with sign_in_ticket, so that you can say who your user is by POST /v1/agent-sign-ins.',
};
const redirectUris = {
  type: 'array',
  items: text,
  description:
    'Where the client has browsers sent back to. Of http://127.0.0.1 and http://localhost any port fits.',
};

const issuer = {
  ...text,
  description: 'Of OpenID Connect: its metadata is below /.well-known/openid-configuration.',
};
const claim = { ...identifier, description: 'Of the ID token: what you know the user by. By default sub.' };
const scopes = { type: 'array', items: { ...identifier, pattern: TEXT_FORMS.scope.pattern }, maxItems: 20 };
const clientSecret = {
  ...text,
  minLength: 1,
  maxLength: 1024,
  description: 'Left out, the one stays that is stored for this client id of this issuer.',
};
const openId = { issuer, clientId: identifier, claim, scopes };
const hasClientSecret = { type: 'boolean' };

const registration = { type: 'boolean', description: 'Whether clients may register themselves (RFC 7591).' };

export const accessSchema = closed(
  { signInUrl, openId: closed({ ...openId, hasClientSecret }), registration, limits },
  ['registration', 'limits'],
);
export const accessWishSchema = closed(
  {
    signInUrl,
    openId: {
      ...closed({ ...openId, clientSecret }, ['issuer', 'clientId']),
      description:
        'In the place of signInUrl. The issuer has to know the redirect URI /agents/{applicationId}/callback.',
    },
    registration: { ...registration, default: false },
    limits: { ...limits, description: 'What every client is held to, whatever its user agrees to.' },
  },
  [],
);

export const clientWishSchema = closed({ name: text, redirectUris });
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
    usedAt: { ...text, description: 'When it got a token last.' },
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
    description: 'sign_in_ticket, as the browser brought it.',
  },
  identifier: { ...identifier, description: 'The user who is signed in at the application in that browser.' },
});
export const redirectSchema = closed({
  redirectTo: {
    ...text,
    description: 'Send this browser there, and nobody else: it is good in that browser alone.',
  },
});
