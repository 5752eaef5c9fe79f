import { parseJson } from '@svc/catalog';
import { checkBrowserUrl } from '../applications/browser-url.js';
import { ServiceError, wrongField } from '../errors.js';
import { checkIfMatch } from '../records/check-if-match.js';
import type { Commit } from '../records/commit.js';
import { etagOf } from '../records/etag.js';
import { type Secret, secret } from '../secret.js';
import type { AgentAccessRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { findInvalidLimit, isTokenLimits, type TokenLimits } from '../tokens/token-limits.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

/**
 * Limits that an application sets for the access tokens of all MCP clients, in addition to the limits that users
 * choose.
 */
export type AgentLimits = Pick<TokenLimits, 'connections' | 'tools' | 'arguments' | 'approve' | 'readOnly'>;

/**
 * Settings of the OpenID Connect issuer at which the application's users sign in. The client secret is not included.
 */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly hasClientSecret: boolean;
  /** Name of the ID-token claim that contains the user's identifier. */
  readonly claim: string;
  readonly scopes: readonly string[];
}

export interface OpenIdAccess extends OpenIdSettings {
  readonly clientSecret: Secret | undefined;
}

type OpenIdInput = Pick<OpenIdSettings, 'issuer' | 'clientId'> &
  Partial<Pick<OpenIdSettings, 'claim' | 'scopes'>> & {
    /**
     * Client secret at the issuer. If it is absent, the stored secret stays, as long as issuer and client id do not
     * change.
     */
    readonly clientSecret?: string;
  };

/** Settings for the sign-in of users at MCP clients. Exactly one of `signInUrl` and `openId` must be set. */
export interface AgentAccessInput {
  readonly signInUrl?: string;
  readonly openId?: OpenIdInput;
  /** True to allow dynamic client registration (RFC 7591) to MCP clients. */
  readonly registration?: boolean;
  readonly limits?: Omit<AgentLimits, 'readOnly'> & { readonly readOnly?: boolean };
}

/**
 * Settings for the sign-in of users who grant access to MCP clients. Users sign in at the application itself or at its
 * OpenID Connect issuer.
 */
export interface AgentAccess {
  readonly signInUrl?: string;
  readonly openId?: OpenIdSettings;
  readonly registration: boolean;
  readonly limits: AgentLimits;
  /** Version of the settings, which a later update sends in `If-Match`. */
  readonly etag: string;
}

export interface AgentAccessesParts {
  readonly storage: Pick<Storage, 'agentAccesses'>;
  readonly commit: Commit;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly now: () => number;
}

/**
 * Maximum characters of an application's token limits as JSON. Every access token contains these limits, and a token
 * has at most 8192 characters.
 */
const MAX_LIMITS_CHARACTERS = 2048;
const SIGN_IN_URL = { called: 'The sign-in URL', name: 'signInUrl' };
const ISSUER = {
  called: 'The issuer',
  name: 'openId.issuer',
  advice: 'Use the issuer URL of your OpenID provider, such as https://login.example.com.',
};
const NONE = { signInUrl: null, issuer: null, clientId: null, clientSecret: null, claim: null, scopes: null };

const NOBODY: AgentAccess = { registration: false, limits: {}, etag: etagOf('none') };

const EDIT = { action: 'agent_access.changed', called: 'The sign-in for MCP clients' } as const;

const noAccess = (): ServiceError =>
  new ServiceError(
    'not_found',
    'Sign-in for MCP clients is not set up. Set it up with PUT /v1/agent-access.',
  );

function toLimits({ readOnly, ...limits }: NonNullable<AgentAccessInput['limits']>): AgentLimits {
  const allLimits = { ...limits, ...(readOnly && { readOnly }) };
  if (!isTokenLimits(allLimits))
    throw new ServiceError(
      'invalid_request',
      `The field "limits.${findInvalidLimit(allLimits)}" is unknown or has an invalid value. Correct or omit the field.`,
    );
  if (JSON.stringify(allLimits).length <= MAX_LIMITS_CHARACTERS) return allLimits;
  throw new ServiceError(
    'invalid_request',
    `The JSON of "limits" is longer than ${MAX_LIMITS_CHARACTERS} characters. List fewer connections, tools or argument values.`,
  );
}

/** Reads the OpenID Connect settings from the database row. Returns `undefined` if the application has no issuer. */
function openIdIn({
  issuer,
  clientId,
  clientSecret,
  claim,
  scopes,
}: AgentAccessRow): OpenIdSettings | undefined {
  if (issuer === null || clientId === null) return undefined;
  const hasClientSecret = clientSecret !== null;
  return { issuer, clientId, hasClientSecret, claim: claim ?? '', scopes: JSON.parse(scopes ?? '[]') };
}

function toAccess(row: AgentAccessRow): AgentAccess {
  const openId = openIdIn(row);
  // The cast is safe, because only this module writes the database column `limits`.
  const limits = parseJson(row.limits) as AgentLimits;
  const { signInUrl, registration } = row;
  const access = {
    ...(signInUrl !== null && { signInUrl }),
    ...(openId && { openId }),
    registration: registration === 1,
    limits,
  };
  return { ...access, etag: etagOf(access) };
}

const agentClientSecretLocation = (applicationId: string): SecretLocation => ({
  applicationId,
  table: 'agent_accesses',
  rowId: applicationId,
  column: 'client_secret',
});

export function createAgentAccesses({ storage, commit, vault, now }: AgentAccessesParts) {
  async function toColumns(applicationId: string, { signInUrl, openId }: AgentAccessInput) {
    if (signInUrl !== undefined && openId !== undefined)
      throw new ServiceError(
        'invalid_request',
        'The settings contain both `signInUrl` and `openId`. Send only one of them.',
      );
    if (signInUrl !== undefined) return { ...NONE, signInUrl: checkBrowserUrl(SIGN_IN_URL, signInUrl) };
    if (openId === undefined)
      throw new ServiceError(
        'invalid_request',
        'The settings contain neither `signInUrl` nor `openId`. Send one of them.',
      );
    const { issuer, clientId, clientSecret, claim = 'sub', scopes = ['openid'] } = openId;
    const sealed =
      clientSecret === undefined
        ? null
        : await vault.seal(agentClientSecretLocation(applicationId), secret(clientSecret));
    const checked = checkBrowserUrl(ISSUER, issuer);
    if (!scopes.includes('openid'))
      throw wrongField(
        'openId.scopes',
        '"openId.scopes" does not contain "openid". Add "openid" to the scopes.',
      );
    const settings = { issuer: checked, clientId, claim, scopes: JSON.stringify(scopes) };
    return { ...NONE, ...settings, clientSecret: sealed };
  }

  async function find(applicationId: string): Promise<AgentAccess | undefined> {
    const row = await storage.agentAccesses.find(applicationId);
    return row && toAccess(row);
  }

  /**
   * Returns an application's settings for MCP clients. Throws not_found if the application has not set up their
   * sign-in.
   */
  async function get(applicationId: string): Promise<AgentAccess> {
    const access = await find(applicationId);
    if (access) return access;
    throw noAccess();
  }

  /**
   * Returns an application's settings for the sign-in of users who grant access to MCP clients. If the application has
   * none, returns settings with the sign-in turned off, so that the dashboard can show them.
   */
  async function show(applicationId: string): Promise<AgentAccess> {
    return (await find(applicationId)) ?? NOBODY;
  }

  /**
   * Returns the OpenID Connect settings with the client secret. Returns `undefined` if the application now uses another
   * issuer.
   */
  async function openIdOf(applicationId: string, issuer: string): Promise<OpenIdAccess | undefined> {
    const row = await storage.agentAccesses.find(applicationId);
    const openId = row && openIdIn(row);
    if (openId?.issuer !== issuer) return undefined;
    const sealed = row?.clientSecret ?? undefined;
    const clientSecret = sealed && (await vault.open(agentClientSecretLocation(applicationId), sealed));
    return { ...openId, clientSecret: clientSecret || undefined };
  }

  /**
   * Replaces an application's settings for MCP clients. Throws conflict if `ifMatch` is not the version of the stored
   * settings.
   */
  async function put(applicationId: string, input: AgentAccessInput, ifMatch?: string): Promise<AgentAccess> {
    const limits = JSON.stringify(toLimits(input.limits ?? {}));
    const registration = input.registration === true ? 1 : 0;
    const columns = await toColumns(applicationId, input);
    const row = { id: applicationId, applicationId, ...columns, registration, limits, createdAt: now() };
    const stored = await commit(async (tables, audit) => {
      // Locks the application's row in the database, because the row with the settings may not exist yet.
      await tables.applications.lock(applicationId);
      if (ifMatch !== undefined) {
        const before = await tables.agentAccesses.find(applicationId);
        const { etag } = before ? toAccess(before) : NOBODY;
        await checkIfMatch(tables, { ...EDIT, ifMatch, etag, applicationId, object: applicationId });
      }
      audit({ action: 'agent_access.changed', applicationId, object: applicationId });
      return tables.agentAccesses.put(row);
    });
    return toAccess(stored);
  }

  /**
   * Deletes an application's settings for MCP clients, which can then no longer sign users in or get tokens. Existing
   * grants stay in the database until they are revoked.
   */
  async function remove(applicationId: string): Promise<void> {
    const wasThere = await commit(async ({ agentAccesses }, audit) => {
      const done = await agentAccesses.delete(applicationId);
      if (done) audit({ action: 'agent_access.deleted', applicationId, object: applicationId });
      return done;
    });
    if (!wasThere) throw noAccess();
  }

  return { get, show, openIdOf, put, delete: remove };
}

export type AgentAccesses = ReturnType<typeof createAgentAccesses>;
