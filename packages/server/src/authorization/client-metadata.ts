import { redirectUriOf } from '../connections/connection.js';
import { describeClient } from '../oauth/describe-client.js';

const NO_DOCUMENTS = 'none';
const CONNECTION_ID = /^conn_[0-9a-f]{24}$/;

/**
 * Returns true if the URL looks reachable from the internet: https on port 443, and a host name that is not local.
 */
function isPublic(url: string): boolean {
  const { protocol, port, hostname } = new URL(url);
  const isName = /\.[a-z][a-z0-9-]*$/.test(hostname) && !/\.(localhost|local|internal)$/.test(hostname);
  return protocol === 'https:' && port === '' && isName;
}

/** Creates client ID metadata documents. Their URL serves as the OAuth client id, so no registration is needed. */
export function createClientMetadata({
  environmentUrl,
  clientMetadataUrl,
}: {
  /** Public URL of this service without a trailing slash. */
  readonly environmentUrl: string;
  /**
   * URL of a metadata document that the operator publishes elsewhere for all connections; `none` turns metadata
   * documents off.
   */
  readonly clientMetadataUrl?: string | undefined;
}) {
  const isPublished = clientMetadataUrl !== NO_DOCUMENTS && isPublic(environmentUrl);
  const ownUrlOf = (connectionId: string) =>
    isPublished ? `${environmentUrl}/sso/v1/oauth/${connectionId}/client-metadata` : undefined;

  /**
   * Returns the URL of the client metadata document, which serves as OAuth client id of a connection. Returns
   * `undefined` if authorization servers could not fetch the document.
   */
  function clientIdOf(connectionId: string): string | undefined {
    return clientMetadataUrl === undefined || clientMetadataUrl === NO_DOCUMENTS
      ? ownUrlOf(connectionId)
      : clientMetadataUrl;
  }

  /**
   * Builds the client metadata document of a connection; `undefined` if this service publishes no documents. Any
   * well-formed connection id gets a document, so that a response does not reveal which connections exist.
   */
  function documentOf(connectionId: string): Readonly<Record<string, unknown>> | undefined {
    const clientId = CONNECTION_ID.test(connectionId) ? ownUrlOf(connectionId) : undefined;
    if (clientId === undefined) return undefined;
    const client = {
      name: `Agent connector service at ${new URL(environmentUrl).host}`,
      redirectUri: redirectUriOf(environmentUrl, connectionId),
    };
    const { client_name, ...described } = describeClient(client, 'none');
    return { client_id: clientId, client_name, client_uri: environmentUrl, ...described };
  }

  return { clientIdOf, documentOf };
}

export type ClientMetadata = ReturnType<typeof createClientMetadata>;
