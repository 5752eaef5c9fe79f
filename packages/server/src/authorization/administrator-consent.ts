import { redirectUriOf } from '../connections/connection.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import type { Connectors } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import { administratorUrl } from '../oauth/authorization-url.js';
import { ADMINISTRATOR_CONSENT } from '../oauth/foreign-codes.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Storage } from '../storage/storage.js';
import { refusalReason } from './refuse-consent.js';

export interface AdministratorConsentParts {
  readonly storage: Pick<Storage, 'connections'>;
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly environmentUrl: string;
}

type OfConnection = Pick<AuthorizationFlowRow, 'applicationId' | 'connectionId'>;

/** Creates the functions for a consent that an administrator gives for all users of an organization. */
export function createAdministratorConsent(parts: AdministratorConsentParts) {
  const { storage, connectors, describeOAuth, environmentUrl } = parts;
  const returned = new Set(
    [...connectors.values()].flatMap(({ auth }) =>
      auth.type === 'oauth2' ? [auth.administratorConsent?.returned ?? []].flat() : [],
    ),
  );

  async function urlOf({ applicationId, connectionId }: OfConnection): Promise<string | undefined> {
    const connection = await storage.connections.find(applicationId, connectionId);
    if (!connection) return undefined;
    const { server, clientId } = await describeOAuth(connection);
    return administratorUrl(server, { clientId, redirectUri: redirectUriOf(environmentUrl, connectionId) });
  }

  /**
   * Adds the URL of the administrator's consent page to an error which says that an administrator must consent first.
   */
  async function withAddress(error: ServiceError, of: OfConnection): Promise<ServiceError> {
    const reason = refusalReason(error);
    if (reason !== ADMINISTRATOR_CONSENT) return error;
    // Ignores a failed lookup of the URL of the administrator's consent page. The error page is useful without it too.
    const url = await urlOf(of).catch(() => undefined);
    const { code, message, cause } = error;
    return new ServiceError(
      code,
      message,
      { reason, ...(url !== undefined && { administratorUrl: url }) },
      { cause },
    );
  }

  /**
   * Returns true for the redirect of an upstream's administrator, who consented for all users of an organization. This
   * redirect has no `state`, because no OAuth flow of the service started it.
   */
  const isReturn = (parameters: URLSearchParams): boolean =>
    [...parameters.keys()].some((name) => returned.has(name));

  return { withAddress, isReturn };
}

export type AdministratorConsent = ReturnType<typeof createAdministratorConsent>;
