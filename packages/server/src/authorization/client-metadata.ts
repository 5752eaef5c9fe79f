import { redirectUriOf } from '../connections/connection.js';
import { describeClient } from '../oauth/describe-client.js';

export interface ClientMetadataParts {
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  /** Of a document that the operator publishes elsewhere, for every connection; `none` for no documents at all. */
  readonly clientMetadataUrl?: string | undefined;
}

/** Clients whose id is the address of a document that says what they are. */
export interface ClientMetadata {
  /** The client id of a connection; `undefined` where no authorization server could read its document. */
  clientIdOf(connectionId: string): string | undefined;
  /** The document that the service itself publishes for a connection; `undefined` where it publishes none. */
  documentOf(connectionId: string): Readonly<Record<string, unknown>> | undefined;
}

const NO_DOCUMENTS = 'none';
const CONNECTION_ID = /^conn_[0-9a-f]{24}$/;

/** Whether the internet can reach the URL, as far as it tells: https on its own port, and a name that is not only known here. */
function isPublic(url: string): boolean {
  const { protocol, port, hostname } = new URL(url);
  const isName = /\.[a-z][a-z0-9-]*$/.test(hostname) && !/\.(localhost|local|internal)$/.test(hostname);
  return protocol === 'https:' && port === '' && isName;
}

export function createClientMetadata(parts: ClientMetadataParts): ClientMetadata {
  const { environmentUrl, clientMetadataUrl } = parts;
  const isPublished = clientMetadataUrl !== NO_DOCUMENTS && isPublic(environmentUrl);
  const ownUrlOf = (connectionId: string) =>
    isPublished ? `${environmentUrl}/sso/v1/oauth/${connectionId}/client-metadata` : undefined;
  return {
    clientIdOf: (connectionId) =>
      clientMetadataUrl === undefined || clientMetadataUrl === NO_DOCUMENTS
        ? ownUrlOf(connectionId)
        : clientMetadataUrl,
    // Made from the id alone, so that it does not tell which connections there are.
    documentOf: (connectionId) => {
      const clientId = CONNECTION_ID.test(connectionId) ? ownUrlOf(connectionId) : undefined;
      if (clientId === undefined) return undefined;
      const client = {
        name: `Agent connector service at ${new URL(environmentUrl).host}`,
        redirectUri: redirectUriOf(environmentUrl, connectionId),
      };
      const { client_name, ...described } = describeClient(client, 'none');
      return { client_id: clientId, client_name, client_uri: environmentUrl, ...described };
    },
  };
}
