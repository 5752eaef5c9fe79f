import { createClientMetadata } from '../authorization/client-metadata.js';
import { createClientRegistrations } from '../authorization/client-registrations.js';
import { createDescribeDiscovered } from '../authorization/discovered-oauth.js';
import { createFindClient } from '../authorization/find-client.js';
import { createDescribeOAuth } from '../connections/connection-oauth.js';
import { createDiscoveries } from '../connections/discoveries.js';
import { createProblemOf } from '../connections/endpoint-url.js';
import { createDiscover } from '../oauth/discover.js';
import { createRegisterClient } from '../oauth/register-client.js';
import type { Vault } from '../vault/vault.js';
import type { CoreParts } from './core-parts.js';

/**
 * Creates the components that discover the OAuth authorization server of a connection, and register or select an OAuth
 * client there.
 */
export function createDiscovery(
  {
    clientMetadataUrl,
    connectors,
    environmentUrl,
    fetch,
    innerLock,
    isAllowedOrigin,
    now,
    random,
    storage,
  }: CoreParts,
  vault: Vault,
) {
  const discover = createDiscover({ fetch, problemOf: createProblemOf(isAllowedOrigin) });
  const discoveries = createDiscoveries({ discover, now });
  const clientMetadata = createClientMetadata({ environmentUrl, clientMetadataUrl });
  const clientRegistrations = createClientRegistrations({
    storage,
    vault,
    registerClient: createRegisterClient({ fetch }),
    // Uses a separate lock for client registration, because a token refresh that registers a client already holds the
    // lock of its account.
    lock: innerLock,
    environmentUrl,
    now,
    random,
  });
  const findClient = createFindClient({ storage, vault, clientMetadata, clientRegistrations });
  const describeDiscovered = createDescribeDiscovered({ storage, discoveries, findClient });
  const describeOAuth = createDescribeOAuth({ connectors, vault, describeDiscovered });
  return { clientMetadata, discoveries, describeOAuth };
}
