import type Provider from 'oidc-provider';
import type { Clock } from '../clock.js';
import type { Dials } from '../dials.js';
import { isObject, parseJson } from '../json.js';
import { personById } from '../person.js';
import { createDoor, type Door } from './door.js';
import type { Consent, GrantFile } from './grant-file.js';
import type { OAuthProfile } from './profile.js';
import { createProvider, NEVER_SECONDS } from './provider.js';
import { createTokenStore, type TokenStore } from './token-store.js';

export interface OAuthReply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface AuthorizationServerOptions {
  id: string;
  baseUrl: string;
  clock: Clock;
  dials(): Dials;
  grants: GrantFile;
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

export function createAuthorizationServer(profile: OAuthProfile, options: AuthorizationServerOptions) {
  const { id, baseUrl, clock, dials, grants } = options;
  const saved = grants.read(id);
  const store = createTokenStore(clock, { ...profile, saved: saved.entries, onChange: grants.saveSoon });
  const consents = createConsents(store.hasGrant, saved.approvals, grants.saveSoon);
  grants.add(id, () => ({ entries: store.lasting(), approvals: consents.all() }));
  const provider = createProvider(profile, {
    baseUrl,
    id,
    store,
    accessTokenSeconds: () => tokenLife(dials(), profile),
    issuesRefreshToken: (grantId) => consents.get(grantId)?.refreshToken ?? false,
  });
  const door = createDoor(provider, new URL(baseUrl).pathname);
  return {
    id,
    baseUrl,
    profile,
    provider,
    consents,
    door,
    registerClient: (redirectUris: readonly string[], name = NAME) =>
      registerClient(store, profile, { redirectUris, name }),
    /** Adds a client that an earlier sandbox registered, with its existing id and secret. */
    knowClient: (client: Client, redirectUris: readonly string[]) =>
      storeClient(store, client, { redirectUris, name: NAME }),
    post: (
      endpoint: 'token' | 'revoke',
      form: Record<string, string>,
      headers: Record<string, string> = {},
    ) => post(door, profile, { endpoint, form, headers }),
    access: (token: string) => readAccess(provider, withoutPrefix(token, profile.prefixes.access)),
    async hasRefreshTokenEnded(token: string) {
      const own = withoutPrefix(token, profile.prefixes.refresh);
      return (await provider.RefreshToken.find(own, { ignoreExpiration: true }))?.isExpired ?? false;
    },
    /** Revokes the grant of an access or refresh token, with all its tokens. Returns false if the token is unknown. */
    async revoke(token: string) {
      const grantId = await grantOf(provider, profile, token);
      if (grantId !== undefined) store.dropGrant(grantId);
      return grantId !== undefined;
    },
    expireTokens: () => store.expireAccessTokens(),
    revokeGrants: () => store.dropAll(),
  };
}

function tokenLife({ tokenLifeSeconds }: Dials, profile: OAuthProfile): number {
  if (tokenLifeSeconds === 'default') return profile.accessTokenSeconds;
  return tokenLifeSeconds === null ? NEVER_SECONDS : Math.ceil(tokenLifeSeconds);
}

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

const NAME = 'Sandbox client';

interface NewClient {
  readonly redirectUris: readonly string[];
  readonly name: string;
}

async function registerClient(store: TokenStore, profile: OAuthProfile, { redirectUris, name }: NewClient) {
  if (redirectUris.length === 0)
    throw new Error('The list "redirectUris" is empty. Give at least one redirect URI.');
  for (const uri of redirectUris)
    if (!URL.canParse(uri))
      throw new Error(
        `The redirect URI "${uri}" is not an absolute URL. Give a complete URL with a scheme, such as https://.`,
      );
  const client = profile.newClient();
  await storeClient(store, client, { redirectUris, name });
  return client;
}

async function storeClient(
  store: TokenStore,
  client: Client,
  { redirectUris, name }: NewClient,
): Promise<void> {
  await store.adapter('Client').upsert(client.clientId, {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    client_name: name,
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  });
}

interface FormPost {
  readonly endpoint: 'token' | 'revoke';
  readonly form: Record<string, string>;
  readonly headers: Record<string, string>;
}

async function post(
  door: Door,
  profile: OAuthProfile,
  { endpoint, form, headers }: FormPost,
): Promise<OAuthReply> {
  const { prefixes, paths } = profile;
  const inner = { ...form };
  if (inner.refresh_token !== undefined)
    inner.refresh_token = withoutPrefix(inner.refresh_token, prefixes.refresh);
  if (inner.token !== undefined)
    inner.token = withoutPrefix(withoutPrefix(inner.token, prefixes.refresh), prefixes.access);
  const { status, body } = await door({
    method: 'POST',
    url: endpoint === 'token' ? paths.token : `/_oauth/${endpoint}`,
    headers: { accept: 'application/json', ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(inner).toString(),
  });
  const parsed = parseJson(body);
  const reply = isObject(parsed) ? parsed : {};
  if (typeof reply.access_token === 'string') reply.access_token = prefixes.access + reply.access_token;
  if (typeof reply.refresh_token === 'string') reply.refresh_token = prefixes.refresh + reply.refresh_token;
  return { status, body: reply };
}

function withoutPrefix(token: string, prefix: string): string {
  return token.startsWith(prefix) ? token.slice(prefix.length) : token;
}

export type Access = NonNullable<Awaited<ReturnType<typeof readAccess>>>;

async function readAccess(provider: Provider, token: string) {
  const accessToken = await provider.AccessToken.find(token);
  if (accessToken === undefined || accessToken.isExpired || accessToken.grantId === undefined)
    return undefined;
  const person = personById(accessToken.accountId);
  if (person === undefined || accessToken.clientId === undefined) return undefined;
  return {
    person,
    clientId: accessToken.clientId,
    scopes: accessToken.scopes,
    audience: typeof accessToken.aud === 'string' ? accessToken.aud : undefined,
  };
}

async function grantOf(
  provider: Provider,
  profile: OAuthProfile,
  token: string,
): Promise<string | undefined> {
  const access = await provider.AccessToken.find(withoutPrefix(token, profile.prefixes.access), {
    ignoreExpiration: true,
  });
  if (access !== undefined) return access.grantId;
  const refresh = await provider.RefreshToken.find(withoutPrefix(token, profile.prefixes.refresh), {
    ignoreExpiration: true,
  });
  return refresh?.grantId;
}

function createConsents(
  hasGrant: (grantId: string) => boolean,
  saved: readonly Consent[],
  onChange: () => void,
) {
  const consents = new Map(saved.map((consent) => [consent.grantId, consent]));
  const live = () => {
    for (const grantId of consents.keys()) if (!hasGrant(grantId)) consents.delete(grantId);
    return consents;
  };
  return {
    add(consent: Consent): void {
      consents.set(consent.grantId, consent);
      onChange();
    },
    get: (grantId: string) => live().get(grantId),
    all: () => [...live().values()],
    between: (clientId: string, personId: string) =>
      [...live().values()].filter(
        (consent) => consent.clientId === clientId && consent.personId === personId,
      ),
  };
}
