import type { PartiesLookup } from '../authorization/account-parties.js';
import {
  type AdministratorConsent,
  createAdministratorConsent,
} from '../authorization/administrator-consent.js';
import { createConsumeFlow } from '../authorization/authorization-flow.js';
import { type AuthorizationLinks, createAuthorizationLinks } from '../authorization/authorization-links.js';
import { createAuthorize } from '../authorization/authorize.js';
import { createBeginConsent } from '../authorization/begin-consent.js';
import { createCompleteConsent } from '../authorization/complete-consent.js';
import type { DiscardTokens } from '../authorization/discard-tokens.js';
import { createEnterKey } from '../authorization/enter-key.js';
import { createExchangeCode } from '../authorization/exchange-code.js';
import { createLinkResults, type LinkResults } from '../authorization/link-results.js';
import { createRefuseConsent, type RefuseConsent } from '../authorization/refuse-consent.js';
import { createSaveTokens } from '../authorization/save-tokens.js';
import { createStoreConsent, type StoreConsent } from '../authorization/store-consent.js';
import { createVerifyConsent } from '../authorization/verify-consent.js';
import type { ConnectedAccounts, ConnectedAccountsParts } from './connected-accounts.js';
import type { CoreParts } from './core-parts.js';

interface ConsentsParts extends Omit<ConnectedAccountsParts, 'connectionNames' | 'discoveries'> {
  readonly parties: PartiesLookup;
  readonly discardTokens: DiscardTokens;
}

interface AuthorizeParts extends Pick<ConnectedAccounts, 'trySecrets'> {
  readonly administratorConsent: AdministratorConsent;
  readonly links: AuthorizationLinks;
  readonly refuseConsent: RefuseConsent;
  readonly results: LinkResults;
  readonly storeConsent: StoreConsent;
}

/** Creates the pages that an authorization link opens, and the components that complete a consent at the upstream. */
function createAuthorizePages(
  { connectors, digest, environmentUrl, now, random, storage }: CoreParts,
  shared: ConsentsParts,
  { administratorConsent, links, refuseConsent, results, storeConsent, trySecrets }: AuthorizeParts,
) {
  const { commit, confirmRefusal, describeOAuth, discardTokens, oauth, parties, vault } = shared;
  return createAuthorize({
    storage,
    links,
    results,
    now,
    enterKey: createEnterKey({ connectors, links, results, trySecrets, storeConsent, now }),
    beginConsent: createBeginConsent({
      storage,
      links,
      results,
      describeOAuth,
      vault,
      digest,
      environmentUrl,
      now,
      random,
    }),
    completeConsent: createCompleteConsent({
      storage,
      parties,
      administratorConsent,
      consumeFlow: createConsumeFlow({ storage, parties, administratorConsent, refuseConsent, digest, now }),
      exchangeCode: createExchangeCode({
        storage,
        describeOAuth,
        confirmRefusal,
        commit,
        oauth,
        vault,
        environmentUrl,
        now,
      }),
      refuseConsent,
      storeConsent,
      discardTokens,
      results,
      now,
    }),
  });
}

/** Creates the components for the page that tells the user how an authorization link ended. */
function createResults(
  { connectors, digest, environmentUrl, now, storage }: CoreParts,
  { describeOAuth, parties }: ConsentsParts,
) {
  const administratorConsent = createAdministratorConsent({
    storage,
    connectors,
    describeOAuth,
    environmentUrl,
  });
  const results = createLinkResults({
    storage,
    connectors,
    parties,
    administratorConsent,
    digest,
    environmentUrl,
    now,
  });
  return { administratorConsent, results };
}

/** Creates the components for users' consents: authorization links, their pages and the verification of users. */
export function createConsents(
  parts: CoreParts,
  shared: ConsentsParts,
  { accounts, tokenWriter, trySecrets }: Pick<ConnectedAccounts, 'accounts' | 'tokenWriter' | 'trySecrets'>,
) {
  const { connectors, digest, environmentUrl, now, random, storage } = parts;
  const { cache, commit, describeOAuth, parties, pendingConsents, vault } = shared;
  const refuseConsent = createRefuseConsent({ commit, now });
  const saveTokens = createSaveTokens({ storage, parties, vault, tokenWriter, commit, cache, now });
  const { administratorConsent, results } = createResults(parts, shared);
  const links = createAuthorizationLinks({
    storage,
    parties,
    connectors,
    describeOAuth,
    accounts,
    refuseConsent,
    results,
    digest,
    environmentUrl,
    now,
    random,
  });
  const storeConsent = createStoreConsent({ storage, pendingConsents, saveTokens, results, now });
  const pages = { administratorConsent, links, refuseConsent, results, storeConsent, trySecrets };
  return {
    links,
    authorize: createAuthorizePages(parts, shared, pages),
    verifyConsent: createVerifyConsent({
      storage,
      pendingConsents,
      saveTokens,
      commit,
      digest,
      environmentUrl,
      now,
    }),
  };
}
