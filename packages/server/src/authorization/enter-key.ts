import { readKey } from '../connections/account-secrets.js';
import { type Connectors, findConnector, keyField } from '../connections/connector.js';
import type { TrySecrets } from '../connections/try-secrets.js';
import { ServiceError } from '../errors.js';
import { createFailureCounts } from '../records/failure-counts.js';
import { toConsentError } from './account-parties.js';
import type { AuthorizationLinks, OpenLink } from './authorization-links.js';
import type { LinkResults } from './link-results.js';
import type { Redirect, StoreConsent } from './store-consent.js';

/** Key that a user entered on the connect page, with secondary credentials (keys for other hosts of the upstream). */
export interface EnteredKey {
  readonly key: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Reason why the entered key was not stored. The page asks for the key again. */
export interface KeyProblem {
  /**
   * `missing`: no key was entered, or it has invalid characters. `refused`: the upstream refused it.
   * `credentialRefused`: the upstream refused a secondary credential.
   */
  readonly problem: 'missing' | 'refused' | 'credentialRefused';
}

export interface EnterKeyParts {
  readonly connectors: Connectors;
  readonly links: Pick<AuthorizationLinks, 'find' | 'use'>;
  readonly results: Pick<LinkResults, 'resultUrl'>;
  readonly trySecrets: TrySecrets;
  readonly storeConsent: StoreConsent;
  readonly now: () => number;
}

/**
 * Maximum number of keys per account and minute that the upstream refuses. More would let a stranger test stolen keys
 * with this service.
 */
const MAX_REFUSED = 5;
const MAX_CHARACTERS = 2048;
const KEY_FORM = /^[\x20-\x7e]+$/;

const isKey = (text: string): boolean => text.length <= MAX_CHARACTERS && KEY_FORM.test(text);

const tooMany = (retryAfter: number): ServiceError =>
  new ServiceError(
    'rate_limited',
    `The upstream refused too many keys for this account. Check the key, then try again in ${retryAfter} s.`,
    { retryAfter, reason: 'keys_refused' },
  );

const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.reason === 'key_refused';

const isOfCredential = ({ details }: ServiceError): boolean =>
  String(details?.['field']).startsWith('credentials.');

/** Removes spaces around the entered key and credentials, and drops empty optional credentials. */
const trimmed = ({ key, credentials }: EnteredKey): EnteredKey => ({
  key: key.trim(),
  credentials: Object.fromEntries(
    Object.entries(credentials)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  ),
});

export function createEnterKey(parts: EnterKeyParts) {
  const { connectors, links, results, trySecrets, storeConsent, now } = parts;
  const refusals = createFailureCounts({ limit: MAX_REFUSED, now });

  async function tryKey({ account, connection }: OpenLink, { key: text, credentials }: EnteredKey) {
    const { auth } = findConnector(connectors, connection.connector);
    const secrets = { [keyField(auth.type) ?? 'apiKey']: text, credentials };
    const key = readKey(connectors, connection, secrets);
    const wait = refusals.retryAfter(account.id);
    if (wait !== undefined) throw tooMany(wait);
    const release = refusals.reserve(account.id);
    try {
      return await trySecrets(connection, key, { credentials });
    } catch (error) {
      if (isRefused(error)) refusals.add(account.id);
      throw error;
    } finally {
      release();
    }
  }

  async function store(
    token: string,
    browser: string,
    { open, entered }: Entry,
  ): Promise<Redirect | KeyProblem> {
    const { link, account, connection, request } = open;
    const tried = await tryKey(open, entered);
    await links.use(token, browser);
    const { applicationId, id: accountId } = account;
    const authorized = {
      applicationId,
      connectionId: connection.id,
      accountId,
      scopes: '[]',
      subject: null,
      issuer: null,
      connectedAs: tried.connectedAs,
      tokenEndpoint: '',
      replaceSubject: 1,
      issuedAt: now(),
      tokens: {
        accessToken: entered.key,
        refreshToken: undefined,
        expiresIn: undefined,
        scopes: undefined,
        entered: { credentials: entered.credentials, isVerified: tried.isVerified },
      },
    };
    const { id: linkId, successUrl, applicationState } = link;
    return storeConsent(authorized, { linkId, successUrl, applicationState }).catch((error: unknown) => {
      throw toConsentError(error, request);
    });
  }

  /**
   * Tests at the upstream the key that a user entered on the connect page, and stores a key that the upstream accepts.
   * A refused key leaves the link usable. The result never contains the key.
   */
  async function enterKey(token: string, browser: string, given: EnteredKey): Promise<Redirect | KeyProblem> {
    const open = await links.find(token, browser);
    if ('endedLinkId' in open) return { redirectTo: results.resultUrl(open.endedLinkId) };
    const entered = trimmed(given);
    const { request } = open;
    if (![entered.key, ...Object.values(entered.credentials)].every(isKey)) return { problem: 'missing' };
    try {
      return await store(token, browser, { open, entered });
    } catch (error) {
      if (isRefused(error)) return { problem: isOfCredential(error) ? 'credentialRefused' : 'refused' };
      throw toConsentError(error, request);
    }
  }
  return enterKey;
}

interface Entry {
  readonly open: OpenLink;
  readonly entered: EnteredKey;
}

export type EnterKey = ReturnType<typeof createEnterKey>;
