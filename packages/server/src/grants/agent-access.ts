import { checkBrowserUrl } from '../applications/browser-url.js';
import { ServiceError, wrongField } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { type Secret, secret } from '../secret.js';
import type { AgentAccessRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isTokenLimits, type TokenLimits } from '../tokens/token-limits.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

/** Limits that an application sets for all MCP clients, regardless of what users grant. */
export type AgentLimits = Pick<TokenLimits, 'connections' | 'tools' | 'arguments' | 'approve' | 'readOnly'>;

/** Settings of an OpenID Connect issuer for sign-in, without its secret. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly hasClientSecret: boolean;
  /** Name of the claim with the user's identifier. */
  readonly claim: string;
  readonly scopes: readonly string[];
}

export interface OpenIdAccess extends OpenIdSettings {
  readonly clientSecret: Secret | undefined;
}

type OpenIdInput = Pick<OpenIdSettings, 'issuer' | 'clientId'> &
  Partial<Pick<OpenIdSettings, 'claim' | 'scopes'>> & {
    /** Absent: the stored secret for this client of this issuer stays. */
    readonly clientSecret?: string;
  };

/** Settings with either `signInUrl` or `openId`. */
export interface AgentAccessInput {
  readonly signInUrl?: string;
  readonly openId?: OpenIdInput;
  /** True to let clients register themselves. */
  readonly registration?: boolean;
  readonly limits?: Omit<AgentLimits, 'readOnly'> & { readonly readOnly?: boolean };
}

/** Sign-in of users who grant access to MCP clients: at the application itself, or at its issuer. */
export interface AgentAccess {
  readonly signInUrl?: string;
  readonly openId?: OpenIdSettings;
  readonly registration: boolean;
  readonly limits: AgentLimits;
}

export interface AgentAccessesParts {
  readonly storage: Pick<Storage, 'agentAccesses'>;
  readonly commit: Commit;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly now: () => number;
}

/** Leaves room for the rest of a token. */
const LONGEST_LIMITS = 2048;
const SIGN_IN_URL = { called: 'The sign-in URL', name: 'signInUrl' };
const ISSUER = { called: 'The issuer', name: 'openId.issuer' };
const NONE = { signInUrl: null, issuer: null, clientId: null, clientSecret: null, claim: null, scopes: null };

const NOBODY: AgentAccess = { registration: false, limits: {} };

const noAccess = (): ServiceError =>
  new ServiceError(
    'not_found',
    'Sign-in for MCP clients is not set up. Set it up with PUT /v1/agent-access.',
  );

function toLimits({ readOnly, ...limits }: NonNullable<AgentAccessInput['limits']>): AgentLimits {
  const kept = { ...limits, ...(readOnly && { readOnly }) };
  if (isTokenLimits(kept) && JSON.stringify(kept).length <= LONGEST_LIMITS) return kept;
  throw new ServiceError(
    'invalid_request',
    `The limits are invalid, or have more than ${LONGEST_LIMITS} characters as JSON.`,
  );
}

/** Reads the columns that this module wrote. */
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
  const [openId, limits]: [OpenIdSettings | undefined, AgentLimits] = [openIdIn(row), JSON.parse(row.limits)];
  const { signInUrl, registration } = row;
  return {
    ...(signInUrl !== null && { signInUrl }),
    ...(openId && { openId }),
    registration: registration === 1,
    limits,
  };
}

const secretPlace = (applicationId: string): SecretLocation => ({
  applicationId,
  table: 'agent_accesses',
  rowId: applicationId,
  column: 'client_secret',
});

export function createAgentAccesses({ storage, commit, vault, now }: AgentAccessesParts) {
  async function toColumns(applicationId: string, { signInUrl, openId }: AgentAccessInput) {
    if ((signInUrl === undefined) === (openId === undefined))
      throw new ServiceError('invalid_request', 'Send either signInUrl or openId.');
    if (openId === undefined) return { ...NONE, signInUrl: checkBrowserUrl(SIGN_IN_URL, signInUrl ?? '') };
    const { issuer, clientId, clientSecret, claim = 'sub', scopes = ['openid'] } = openId;
    const sealed =
      clientSecret === undefined ? null : await vault.seal(secretPlace(applicationId), secret(clientSecret));
    const checked = checkBrowserUrl(ISSUER, issuer);
    if (!scopes.includes('openid')) throw wrongField('openId.scopes', 'The scopes lack "openid".');
    const settings = { issuer: checked, clientId, claim, scopes: JSON.stringify(scopes) };
    return { ...NONE, ...settings, clientSecret: sealed };
  }

  async function find(applicationId: string): Promise<AgentAccess | undefined> {
    const row = await storage.agentAccesses.find(applicationId);
    return row && toAccess(row);
  }

  /** Throws not_found if the application has no sign-in. */
  async function get(applicationId: string): Promise<AgentAccess> {
    const access = await find(applicationId);
    if (access) return access;
    throw noAccess();
  }

  /** Gives the settings; without a sign-in if there is none. */
  async function show(applicationId: string): Promise<AgentAccess> {
    return (await find(applicationId)) ?? NOBODY;
  }

  /** Gives the settings of this issuer with its secret; `undefined` if the application has another issuer now. */
  async function openIdOf(applicationId: string, issuer: string): Promise<OpenIdAccess | undefined> {
    const row = await storage.agentAccesses.find(applicationId);
    const openId = row && openIdIn(row);
    if (openId?.issuer !== issuer) return undefined;
    const sealed = row?.clientSecret ?? undefined;
    const clientSecret = sealed && (await vault.open(secretPlace(applicationId), sealed));
    return { ...openId, clientSecret: clientSecret || undefined };
  }

  async function put(applicationId: string, input: AgentAccessInput): Promise<AgentAccess> {
    const limits = JSON.stringify(toLimits(input.limits ?? {}));
    const registration = input.registration === true ? 1 : 0;
    const columns = await toColumns(applicationId, input);
    const row = { id: applicationId, applicationId, ...columns, registration, limits, createdAt: now() };
    const stored = await commit(async ({ agentAccesses }, tell) => {
      tell({ action: 'agent_access.changed', applicationId, object: applicationId });
      return agentAccesses.put(row);
    });
    return toAccess(stored);
  }

  /** Ends sign-ins and the issue of tokens. Existing grants stay until they are revoked. */
  async function remove(applicationId: string): Promise<void> {
    const wasThere = await commit(async ({ agentAccesses }, tell) => {
      const done = await agentAccesses.delete(applicationId);
      if (done) tell({ action: 'agent_access.deleted', applicationId, object: applicationId });
      return done;
    });
    if (!wasThere) throw noAccess();
  }

  return { get, show, openIdOf, put, delete: remove };
}

export type AgentAccesses = ReturnType<typeof createAgentAccesses>;
