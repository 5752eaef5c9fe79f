import { redirectUriOf } from '../connections/connection.js';
import { describeClient } from '../oauth/describe-client.js';

const NO_DOCUMENTS = 'none';
const CONNECTION_ID = /^conn_[0-9a-f]{24}$/;

/** True if the URL looks reachable from the internet: https on port 443, and a host name that is not local. */
function isPublic(url: string): boolean {
  const { protocol, port, hostname } = new URL(url);
  const isName = /\.[a-z][a-z0-9-]*$/.test(hostname) && !/\.(localhost|local|internal)$/.test(hostname);
  return protocol === 'https:' && port === '' && isName;
}

/** Client ID metadata documents: the URL of such a document is the client id. */
export function createClientMetadata({
  environmentUrl,
  clientMetadataUrl,
}: {
  /** URL of this service for browsers, without a slash at the end. */
  readonly environmentUrl: string;
  /** URL of a document that the operator publishes elsewhere for all connections; `none` for no documents at all. */
  readonly clientMetadataUrl?: string | undefined;
}) {
  const isPublished = clientMetadataUrl !== NO_DOCUMENTS && isPublic(environmentUrl);
  const ownUrlOf = (connectionId: string) =>
    isPublished ? `${environmentUrl}/sso/v1/oauth/${connectionId}/client-metadata` : undefined;

  /** The client id of a connection; `undefined` if no authorization server could read its document. */
  function clientIdOf(connectionId: string): string | undefined {
    return clientMetadataUrl === undefined || clientMetadataUrl === NO_DOCUMENTS
      ? ownUrlOf(connectionId)
      : clientMetadataUrl;
  }

  /**
   * The document that this service publishes for a connection; `undefined` if it publishes none. It depends on the id alone,
   * so that it does not reveal which connections exist.
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
