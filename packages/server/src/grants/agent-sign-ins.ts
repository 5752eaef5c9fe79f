import { checkIdentifier } from '../connections/account.js';
import { ServiceError } from '../errors.js';
import { agentIssuer } from '../names/agent-urls.js';
import { newToken } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import { isSame } from '../text/is-same.js';
import { type AskParts, type Consent, createAsk } from './ask.js';
import { type BeginSignInParts, createBeginSignIn, type Redirect, signInIsOver } from './begin-sign-in.js';
import type { OpenId } from './open-id.js';
import { toRedirect } from './redirect-uris.js';
import { browserDigest, codeDigest, returnDigest, ticketDigest } from './sign-in-digests.js';

export interface AgentSignInsParts extends Omit<AskParts, 'storage'>, Omit<BeginSignInParts, 'catalog'> {
  readonly storage: AskParts['storage'] & BeginSignInParts['storage'];
  readonly openId: OpenId;
  readonly commit: Commit;
}

interface Comer {
  readonly applicationId: string;
  /** The cookie; `undefined` where there is none. */
  readonly browser: string | undefined;
}

/** Whoever comes back from the application's sign-in, with what its answer brought. */
export interface Returning extends Comer {
  readonly token: string;
}

/** Whoever comes back from the application's issuer. */
export interface CalledBack extends Comer {
  readonly callback: URLSearchParams;
}

/** The way of a browser from an MCP client to the application, to the consent page, and back with a code. */
export interface AgentSignIns {
  /** Gives where the browser goes: to the sign-in, or back to the client with what it asked for wrongly. */
  begin(applicationId: string, query: URLSearchParams, browser: string): Promise<Redirect>;
  /** The application says who has come with the ticket, and gets where it sends that browser back to. */
  identify(
    applicationId: string,
    said: { readonly ticket: string; readonly identifier: string },
  ): Promise<Redirect>;
  /** The application's issuer says who has signed in. */
  complete(calledBack: CalledBack): Promise<Redirect>;
  /** What the user is asked. Decides nothing. */
  ask(returning: Returning): Promise<Consent>;
  /** The user has decided, once. */
  decide(returning: Returning, isAllowed: boolean): Promise<Redirect>;
}

const CODE_LIFE_MS = 60_000;

const forbidden = (reason: string, message: string): ServiceError =>
  new ServiceError('forbidden', message, { reason });

const usedBefore = () => forbidden('used_before', 'The user has signed in or decided already.');

const reasonOf = (error: unknown): string =>
  error instanceof ServiceError ? String(error.details?.['reason'] ?? error.code) : 'fault';

/** What holds a sign-in to the browser that began it, and ends it where that is not so. */
function createOpened({ commit, digest, now }: AgentSignInsParts) {
  async function end({ applicationId, id }: AgentSignInRow, reason: string): Promise<void> {
    await commit(async ({ agentSignIns }, tell) => {
      if (!(await agentSignIns.end({ applicationId, id, now: now() }))) return;
      tell({ action: 'agent_sign_in.refused', applicationId, object: id, result: 'refused', reason });
    });
  }

  async function check(row: AgentSignInRow | undefined, browser = ''): Promise<AgentSignInRow> {
    if (!row) throw signInIsOver();
    if (!isSame(browserDigest(digest, browser), row.browserDigest)) {
      // The link was handed on, or taken.
      await end(row, 'other_browser');
      throw forbidden('other_browser', 'It was begun in another browser, or this one sends no cookies.');
    }
    if (row.endedAt !== null) throw usedBefore();
    if (row.expiresAt > now()) return row;
    throw forbidden('expired', 'The sign-in took more than 10 minutes.');
  }

  return { end, check };
}

export function createAgentSignIns(parts: AgentSignInsParts): AgentSignIns {
  const { storage, agentAccesses, openId, digest, environmentUrl, now, random } = parts;
  const ask = createAsk(parts);
  const { end, check } = createOpened(parts);

  const consentOf = (applicationId: string, token: string): Redirect => ({
    redirectTo: `${agentIssuer(environmentUrl, applicationId)}/consent/${token}`,
  });

  const find = async ({ applicationId, token, browser }: Returning): Promise<AgentSignInRow> =>
    check(await storage.agentSignIns.findReturning(applicationId, returnDigest(digest, token)), browser);

  /** Asks the issuer that the sign-in was begun at, or nobody. */
  async function askIssuer(row: AgentSignInRow, ticket: string, callback: URLSearchParams): Promise<string> {
    const { applicationId, issuer } = row;
    const access = await agentAccesses.openIdOf(applicationId, issuer ?? '');
    if (access === undefined) throw signInIsOver();
    return openId.identify(access, { applicationId, ticket, callback });
  }

  return {
    begin: createBeginSignIn(parts),

    async identify(applicationId, { ticket, identifier }) {
      const token = newToken(random);
      const row = await storage.agentSignIns.identify(
        { applicationId, ticketDigest: ticketDigest(digest, ticket), now: now() },
        { identifier: checkIdentifier(identifier), returnDigest: returnDigest(digest, token) },
      );
      if (row) return consentOf(applicationId, token);
      throw new ServiceError(
        'not_found',
        'There is no such ticket, or it was used, or is older than 10 minutes: the user has to begin again in the client.',
      );
    },

    async complete({ applicationId, callback, browser }) {
      const ticket = callback.get('state') ?? '';
      const found = await storage.agentSignIns.findTicket(applicationId, ticketDigest(digest, ticket));
      const row = await check(found, browser);
      const token = newToken(random);
      const open = { applicationId, id: row.id, now: now() };
      if (!(await storage.agentSignIns.claim(open, returnDigest(digest, token)))) throw usedBefore();
      const identifier = await askIssuer(row, ticket, callback).catch(async (error: unknown) => {
        await end(row, reasonOf(error));
        throw error;
      });
      await storage.agentSignIns.setIdentifier(applicationId, row.id, identifier);
      return consentOf(applicationId, token);
    },

    ask: async (returning) => ask(await find(returning)),

    async decide(returning, isAllowed) {
      const { applicationId, id, redirectUri, state } = await find(returning);
      const iss = agentIssuer(environmentUrl, applicationId);
      const code = newToken(random);
      const made = { codeDigest: codeDigest(digest, code), expiresAt: now() + CODE_LIFE_MS };
      const open = { applicationId, id, now: now() };
      if (!(await storage.agentSignIns.end(open, isAllowed ? made : undefined))) throw usedBefore();
      const outcome = isAllowed ? { code } : { error: 'access_denied' };
      return { redirectTo: toRedirect(redirectUri, { ...outcome, state, iss }) };
    },
  };
}
