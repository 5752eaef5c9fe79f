import { checkIdentifier } from '../connections/account-name.js';
import { failureReason, ServiceError } from '../errors.js';
import { agentIssuer } from '../names/agent-urls.js';
import type { Commit } from '../records/commit.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import { newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccesses } from './agent-access.js';
import { type BeginSignIn, type Redirect, signInIsOver } from './begin-sign-in.js';
import { type ConsentChoices, limitsOf } from './consent-choices.js';
import { type DescribeGrantRequest, type GrantRequest, readLinks } from './grant-request.js';
import type { OpenId } from './open-id.js';
import { toRedirect } from './redirect-uris.js';
import { browserDigest, codeDigest, returnDigest, ticketDigest } from './sign-in-digests.js';

export interface AgentSignInsParts {
  readonly storage: Pick<Storage, 'agentSignIns'>;
  readonly agentAccesses: Pick<AgentAccesses, 'openIdOf'>;
  readonly openId: Pick<OpenId, 'identify'>;
  readonly beginSignIn: BeginSignIn;
  readonly describeGrantRequest: DescribeGrantRequest;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

interface Visit {
  readonly applicationId: string;
  /** Value of the cookie that identifies the browser. `undefined` if the browser sent no such cookie. */
  readonly browser: string | undefined;
}

/**
 * Request of a browser after the application has signed in its user. `token` comes from the URL of the consent page.
 */
export interface ReturnVisit extends Visit {
  readonly token: string;
}

/**
 * Request of a browser that returns from the application's OpenID Connect issuer, with the callback's query parameters.
 */
export interface CallbackVisit extends Visit {
  readonly callback: URLSearchParams;
}

const CODE_LIFE_MS = 60_000;

const forbidden = (reason: string, message: string): ServiceError =>
  new ServiceError('forbidden', message, { reason });

const usedBefore = () =>
  forbidden(
    'used_before',
    'This sign-in or consent was already completed, and works only once. Start again in the MCP client.',
  );

const reasonOf = (error: unknown): string => (error instanceof ServiceError ? failureReason(error) : 'fault');

/**
 * Creates the check that a user's sign-in continues in the browser in which it started. A request from another browser
 * ends the sign-in.
 */
function createBrowserCheck({ commit, digest, now }: Pick<AgentSignInsParts, 'commit' | 'digest' | 'now'>) {
  async function end({ applicationId, id }: AgentSignInRow, reason: string): Promise<void> {
    await commit(async ({ agentSignIns }, audit) => {
      if (!(await agentSignIns.end({ applicationId, id, now: now() }))) return;
      audit({ action: 'agent_sign_in.refused', applicationId, object: id, result: 'refused', reason });
    });
  }

  async function check(row: AgentSignInRow | undefined, browser = ''): Promise<AgentSignInRow> {
    if (!row) throw signInIsOver();
    if (!isSame(browserDigest(digest, browser), row.browserDigest)) {
      // Ends the sign-in, because another browser can open its URL only if somebody forwarded or stole the URL.
      await end(row, 'other_browser');
      throw forbidden(
        'other_browser',
        browser === ''
          ? 'The browser sent no cookie, so the sign-in was ended. Allow cookies, then start again in the MCP client.'
          : 'The sign-in was started in another browser, so it was ended. Start again in the MCP client.',
      );
    }
    if (row.endedAt !== null) throw usedBefore();
    if (row.expiresAt > now()) return row;
    throw forbidden('expired', 'The sign-in took more than 10 minutes. Start again in the MCP client.');
  }

  return { end, check };
}

/**
 * Creates the steps of a user's sign-in at an MCP client. The browser goes from the client to the application's
 * sign-in, then to the consent page, and back to the client with an authorization code.
 */
export function createAgentSignIns(parts: AgentSignInsParts) {
  const { storage, agentAccesses, openId, beginSignIn, describeGrantRequest, commit } = parts;
  const { digest, environmentUrl, now, random } = parts;
  const { end, check } = createBrowserCheck({ commit, digest, now });

  const consentOf = (applicationId: string, token: string): Redirect => ({
    redirectTo: `${agentIssuer(environmentUrl, applicationId)}/consent/${token}`,
  });

  const find = async ({ applicationId, token, browser }: ReturnVisit): Promise<AgentSignInRow> =>
    check(await storage.agentSignIns.findReturning(applicationId, returnDigest(digest, token)), browser);

  /**
   * Gets the user's identifier from the OpenID Connect issuer. Throws if the application has changed its issuer since
   * the sign-in started.
   */
  async function identifyUser(
    row: AgentSignInRow,
    ticket: string,
    callback: URLSearchParams,
  ): Promise<string> {
    const { applicationId, issuer } = row;
    const access = await agentAccesses.openIdOf(applicationId, issuer ?? '');
    if (access === undefined) throw signInIsOver();
    return openId.identify(access, { applicationId, ticket, callback });
  }

  /**
   * Stores the user whom the application has signed in. `ticket` is the secret that identifies this sign-in of an MCP
   * client. Returns the URL of the consent page for the user's browser.
   */
  async function identify(
    applicationId: string,
    { ticket, identifier }: { readonly ticket: string; readonly identifier: string },
  ): Promise<Redirect> {
    const token = newToken(random);
    const row = await storage.agentSignIns.identify(
      { applicationId, ticketDigest: ticketDigest(digest, ticket), now: now() },
      { identifier: checkIdentifier(identifier), returnDigest: returnDigest(digest, token) },
    );
    if (row) return consentOf(applicationId, token);
    throw new ServiceError(
      'not_found',
      'The sign-in ticket is unknown, was used, or is older than 10 minutes. The user must start the sign-in again in the MCP client.',
    );
  }

  /**
   * Stores the user whom the application's OpenID Connect issuer has signed in. Returns the URL of the consent page.
   */
  async function complete({ applicationId, callback, browser }: CallbackVisit): Promise<Redirect> {
    const ticket = callback.get('state') ?? '';
    const ticketRow = await storage.agentSignIns.findTicket(applicationId, ticketDigest(digest, ticket));
    const row = await check(ticketRow, browser);
    const token = newToken(random);
    const open = { applicationId, id: row.id, now: now() };
    if (!(await storage.agentSignIns.claim(open, returnDigest(digest, token)))) throw usedBefore();
    const identifier = await identifyUser(row, ticket, callback).catch(async (error: unknown) => {
      await end(row, reasonOf(error));
      throw error;
    });
    await storage.agentSignIns.setIdentifier(applicationId, row.id, identifier);
    return consentOf(applicationId, token);
  }

  /** Returns the content of the consent page, without changing the sign-in. */
  async function describe(visit: ReturnVisit): Promise<GrantRequest> {
    return describeGrantRequest(await find(visit));
  }

  /**
   * Returns the token limits after the user's choices on the consent page. Returns `undefined` if the user left nothing
   * selected.
   */
  async function limitsFor(
    row: AgentSignInRow,
    choices: ConsentChoices | undefined,
  ): Promise<string | undefined> {
    if (choices === undefined) return row.limits;
    const added = limitsOf(await describeGrantRequest(row), choices);
    return added && JSON.stringify([...readLinks(row.limits), ...added]);
  }

  /** Stores the user's decision on the consent page. Throws forbidden if the user has already decided. */
  async function decide(visit: ReturnVisit, isAllowed: boolean, choices?: ConsentChoices): Promise<Redirect> {
    const row = await find(visit);
    const { applicationId, id, redirectUri, state } = row;
    const limits = isAllowed ? await limitsFor(row, choices) : undefined;
    const iss = agentIssuer(environmentUrl, applicationId);
    const code = newToken(random);
    const expiresAt = now() + CODE_LIFE_MS;
    const made =
      limits === undefined ? undefined : { codeDigest: codeDigest(digest, code), expiresAt, limits };
    const open = { applicationId, id, now: now() };
    if (!(await storage.agentSignIns.end(open, made))) throw usedBefore();
    const outcome = made ? { code } : { error: 'access_denied' };
    return { redirectTo: toRedirect(redirectUri, { ...outcome, state, iss }) };
  }

  return { begin: beginSignIn, identify, complete, describe, decide };
}

export type AgentSignIns = ReturnType<typeof createAgentSignIns>;
