import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { personById } from '../person.js';
import { escapeHtml, page } from './page.js';
import type { McpProfile, OAuthProfile } from './profile.js';
import type { TokenStore } from './token-store.js';

interface ProviderOptions {
  baseUrl: string;
  id: string;
  store: TokenStore;
  accessTokenSeconds(): number;
  /** Returns whether the grant gets a refresh token. The decision is made when the person consents. */
  issuesRefreshToken(grantId: string): boolean;
}

export const NEVER_SECONDS = 10 * 365 * 24 * 3600;

const LIVES = {
  AuthorizationCode: 600,
  Grant: NEVER_SECONDS,
  IdToken: 3600,
  Interaction: 3600,
  Session: 3600,
} as const;

const FEATURES = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
  revocation: { enabled: true, allowedPolicy: isOwner },
} satisfies Configuration['features'];

/** Claims in the ID token for each scope, as Google and Microsoft define them. */
const CLAIMS = {
  openid: ['sub'],
  'https://www.googleapis.com/auth/userinfo.email': ['email', 'email_verified'],
  profile: ['name', 'preferred_username'],
};

export function createProvider(profile: OAuthProfile, options: ProviderOptions): Provider {
  const { baseUrl, id, store } = options;
  const { mcp } = profile;
  return new Provider(baseUrl + (mcp?.issuerPath ?? ''), {
    adapter: (model) => store.adapter(model),
    jwks: { keys: [signingKey()] },
    scopes: Object.keys(profile.scopes),
    extraParams: [...profile.extraParameters],
    routes: {
      authorization: profile.paths.authorization,
      token: profile.paths.token,
      revocation: '/_oauth/revoke',
      jwks: '/_oauth/jwks',
      ...(mcp && { registration: mcp.registrationPath }),
    },
    cookies: cookies(id),
    clockTolerance: 0,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', ...(mcp ? (['none'] as const) : [])],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    pkce: { required: () => mcp !== undefined },
    features: { ...FEATURES, ...(mcp && mcpFeatures(mcp, options)) },
    interactions: {
      policy: policy(),
      url: (_ctx, interaction) => `${new URL(baseUrl).pathname}/_consent/${interaction.uid}`,
    },
    claims: CLAIMS,
    conformIdTokenClaims: false,
    findAccount,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, _client, code) =>
      code.grantId !== undefined && options.issuesRefreshToken(code.grantId),
    rotateRefreshToken: () => profile.rotates,
    // Revoking an access or refresh token revokes the whole grant, so that the person has to consent again.
    revokeGrantPolicy: () => true,
    renderError,
    ttl: {
      ...LIVES,
      RefreshToken: profile.refreshTokenSeconds ?? NEVER_SECONDS,
      AccessToken: () => options.accessTokenSeconds(),
    },
  });
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kty: 'EC', alg: 'ES256', use: 'sig' } as const;
}

function cookies(id: string): NonNullable<Configuration['cookies']> {
  return {
    names: { session: `_${id}_session`, interaction: `_${id}_consent`, resume: `_${id}_resume` },
    keys: [randomBytes(32).toString('base64url')],
  };
}

// Every authorization shows a consent page, like a service with an account chooser. A single prompt covers sign-in and
// consent.
function policy(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy;
  const prompts = base();
  prompts.clear();
  prompts.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check(
        'not_approved',
        'The person has not decided yet.',
        'interaction_required',
        (ctx) => ctx.oidc.result?.consent === undefined,
      ),
    ),
  );
  for (const name of ['login', 'select_account']) prompts.add(new Prompt({ name, requestable: true }));
  return prompts;
}

function findAccount(_ctx: KoaContextWithOIDC, personId: string) {
  const person = personById(personId);
  if (person === undefined) return undefined;
  const claims = {
    sub: person.id,
    email: person.email,
    email_verified: true,
    name: person.name,
    preferred_username: person.email,
  };
  return { accountId: person.id, claims: async () => claims };
}

function isOwner(
  _ctx: KoaContextWithOIDC,
  client: { clientId: string },
  token: { clientId?: string | undefined },
): boolean {
  return token.clientId === client.clientId;
}

function renderError(
  ctx: { type: string; body?: unknown },
  out: { error: string; error_description?: string | undefined },
): void {
  ctx.type = 'html';
  ctx.body = page(
    'Access blocked',
    `<h1>Access blocked</h1><p>${escapeHtml(out.error_description ?? 'The request is not valid.')}</p><p><code>${escapeHtml(out.error)}</code></p>`,
  );
}

type Features = NonNullable<Configuration['features']>;

interface Issued {
  readonly baseUrl: string;
  accessTokenSeconds(): number;
}

function mcpFeatures(
  { resourcePath, resourceScopes }: McpProfile,
  { baseUrl, accessTokenSeconds }: Issued,
): Pick<Features, 'registration' | 'resourceIndicators'> {
  const resource = baseUrl + resourcePath;
  return {
    registration: { enabled: true, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      defaultResource() {
        throw new errors.InvalidTarget('resource is required');
      },
      // The resource must equal the value in the metadata exactly. A URL with an additional slash at the end is another
      // resource.
      getResourceServerInfo(_ctx, requested) {
        if (requested !== resource) throw new errors.InvalidTarget(`resource must be ${resource}`);
        return {
          scope: resourceScopes.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: accessTokenSeconds(),
        };
      },
    },
  };
}
