import type { Audit, Commit } from '../records/commit.js';
import type { OperatorRow } from '../storage/operator-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import { isSigned, signToken } from '../vault/sign-token.js';
import { noOperator, toName } from './operator-name.js';

export interface SignInLinksParts {
  readonly storage: Pick<Storage, 'operators' | 'signInLinks'>;
  readonly commit: Commit;
  readonly digest: Digest;
  /** Public URL of this service without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** New sign-in link. The link is returned only once, because only its digest is stored. */
export interface SignInLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** Sign-in link that was used, has expired, or was deleted with its operator. */
export interface EndedLink {
  /** Id of the operator; absent when the operator was deleted. */
  readonly object?: string;
}

const LIFE_MS = 15 * 60_000;
const SEAL = 'seal of a sign-in link';

/**
 * Creates links that sign an operator in once, within 15 minutes. The database stores only digests of the link tokens.
 */
export function createSignInLinks(parts: SignInLinksParts) {
  const { storage, commit, digest, environmentUrl, now, random } = parts;
  const digestOf = (token: string) => digest('operator sign-in link', token);

  /** Creates a sign-in link in the caller's transaction. */
  async function add(
    tables: Tables,
    audit: Audit,
    { id: operatorId, name }: OperatorRow,
  ): Promise<SignInLink> {
    const token = signToken(digest, SEAL, newToken(random));
    const expiresAt = now() + LIFE_MS;
    await tables.signInLinks.insert({ digest: digestOf(token), operatorId, expiresAt });
    audit({ action: 'operator.link_created', applicationId: null, object: operatorId, reason: name });
    // The token is in the URL fragment, which browsers do not send. Therefore no server, proxy or log sees the token.
    return {
      link: `${environmentUrl}/dashboard/sign-in#${token}`,
      expiresAt: isoTime(expiresAt),
    };
  }

  async function createFor(name: string, operator: OperatorRow | undefined) {
    if (!operator) throw noOperator(name);
    const link = await commit((tables, audit) => add(tables, audit, operator));
    return { name: operator.name, ...link };
  }

  async function create(anyCase: string): Promise<SignInLink> {
    const name = toName(anyCase);
    return createFor(name, await storage.operators.findByName(name));
  }

  /** Creates a sign-in link for the oldest operator with the role owner. */
  async function createForFirstOwner(): Promise<SignInLink & { readonly name: string }> {
    return createFor('owner', await storage.operators.firstOwner());
  }

  /**
   * Ends the sign-in link of a token and returns its operator. Returns `undefined` if the token is unknown, used or
   * expired.
   */
  function take(tables: Tables, token: string): Promise<OperatorRow | undefined> {
    return tables.signInLinks.take(digestOf(token), now());
  }

  /** Finds a link of this service that signs nobody in any more. Returns `undefined` for a live or an invented link. */
  async function findEnded(token: string): Promise<EndedLink | undefined> {
    if (!isSigned(digest, SEAL, token)) return undefined;
    const link = await storage.signInLinks.find(digestOf(token));
    if (link === undefined) return {};
    return link.expiresAt > now() ? undefined : { object: link.operatorId };
  }

  return { create, createForFirstOwner, add, take, findEnded };
}

export type SignInLinks = ReturnType<typeof createSignInLinks>;
