import { checkBrowserUrl } from '../applications/browser-url.js';
import { ServiceError, wrongField } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { type Secret, secret } from '../secret.js';
import type { AgentAccessRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isTokenLimits, type TokenLimits } from '../tokens/token-limits.js';
import type { SecretLocation, Vault } from '../vault/vault.js';

/** What an application allows every MCP client, whatever its user agrees to. */
export type AgentLimits = Pick<TokenLimits, 'connections' | 'tools' | 'arguments' | 'approve' | 'readOnly'>;

/** An OpenID Connect issuer at which users sign in, without what is secret. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly hasClientSecret: boolean;
  /** Name of the claim that is the user's identifier. */
  readonly claim: string;
  readonly scopes: readonly string[];
}

export interface OpenIdAccess extends OpenIdSettings {
  readonly clientSecret: Secret | undefined;
}

type OpenIdWish = Pick<OpenIdSettings, 'issuer' | 'clientId'> &
  Partial<Pick<OpenIdSettings, 'claim' | 'scopes'>> & {
    /** Where it is left out, the one that is stored for this client of this issuer stays. */
    readonly clientSecret?: string;
  };

/** One of the two ways. */
export interface AgentAccessWish {
  readonly signInUrl?: string;
  readonly openId?: OpenIdWish;
  /** Whether clients may register themselves. */
  readonly registration?: boolean;
  readonly limits?: Omit<AgentLimits, 'readOnly'> & { readonly readOnly?: boolean };
}

/** How users of an application sign in to give MCP clients access: at the application itself, or at its issuer. */
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

export interface AgentAccesses {
  /** Throws not_found where the application lets nobody sign in. */
  get(applicationId: string): Promise<AgentAccess>;
  /** The settings as they are shown: without a way to sign in where there is none. */
  show(applicationId: string): Promise<AgentAccess>;
  /** The same with the issuer's secret, for a sign-in at this issuer; `undefined` where it is another one by now. */
  openIdOf(applicationId: string, issuer: string): Promise<OpenIdAccess | undefined>;
  put(applicationId: string, wish: AgentAccessWish): Promise<AgentAccess>;
  /** From then on nobody signs in, and no token is made; what users gave stays until it is revoked. */
  delete(applicationId: string): Promise<void>;
}

/** Leaves room for the rest of a token. */
const LONGEST_LIMITS = 2048;
const SIGN_IN_URL = { called: 'The sign-in URL', name: 'signInUrl' };
const ISSUER = { called: 'The issuer', name: 'openId.issuer' };
const NONE = { signInUrl: null, issuer: null, clientId: null, clientSecret: null, claim: null, scopes: null };

const NOBODY: AgentAccess = { registration: false, limits: {} };

const noAccess = (): ServiceError =>
  new ServiceError('not_found', 'Nobody signs in here for MCP clients: PUT /v1/agent-access says how.');

function toLimits({ readOnly, ...limits }: NonNullable<AgentAccessWish['limits']>): AgentLimits {
  const kept = { ...limits, ...(readOnly && { readOnly }) };
  if (isTokenLimits(kept) && JSON.stringify(kept).length <= LONGEST_LIMITS) return kept;
  throw new ServiceError(
    'invalid_request',
    `The limits are not ones that can be kept, or have more than ${LONGEST_LIMITS} characters as JSON.`,
  );
}

/** What this module wrote. */
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

export function createAgentAccesses({ storage, commit, vault, now }: AgentAccessesParts): AgentAccesses {
  async function toColumns(applicationId: string, { signInUrl, openId }: AgentAccessWish) {
    if ((signInUrl === undefined) === (openId === undefined))
      throw new ServiceError('invalid_request', 'Send one of signInUrl and openId.');
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

  return {
    async get(applicationId) {
      const access = await find(applicationId);
      if (access) return access;
      throw noAccess();
    },

    show: async (applicationId) => (await find(applicationId)) ?? NOBODY,

    async openIdOf(applicationId, issuer) {
      const row = await storage.agentAccesses.find(applicationId);
      const openId = row && openIdIn(row);
      if (openId?.issuer !== issuer) return undefined;
      const sealed = row?.clientSecret ?? undefined;
      const clientSecret = sealed && (await vault.open(secretPlace(applicationId), sealed));
      return { ...openId, clientSecret: clientSecret || undefined };
    },

    async put(applicationId, wish) {
      const limits = JSON.stringify(toLimits(wish.limits ?? {}));
      const registration = wish.registration === true ? 1 : 0;
      const way = await toColumns(applicationId, wish);
      const row = { id: applicationId, applicationId, ...way, registration, limits, createdAt: now() };
      const stored = await commit(async ({ agentAccesses }, tell) => {
        tell({ action: 'agent_access.changed', applicationId, object: applicationId });
        return agentAccesses.put(row);
      });
      return toAccess(stored);
    },

    async delete(applicationId) {
      const wasThere = await commit(async ({ agentAccesses }, tell) => {
        const done = await agentAccesses.delete(applicationId);
        if (done) tell({ action: 'agent_access.deleted', applicationId, object: applicationId });
        return done;
      });
      if (!wasThere) throw noAccess();
    },
  };
}
