import type { Connector } from '../../api/catalogue.ts';
import { Copied } from '../../parts/copy.tsx';
import { Time } from '../../parts/time.tsx';
import { authWords } from '../../words/states.ts';
import type { Connection } from './settings.ts';

interface ConnectionFactsProps {
  readonly connection: Connection;
  /** Absent when it has left the catalogue. */
  readonly connector: Connector | undefined;
}

export const ConnectionFacts = ({ connection, connector }: ConnectionFactsProps) => (
  <dl class="facts">
    <dt>Name in code</dt>
    <dd>
      <Copied text={connection.connectionName} what="the name of the connection" />
    </dd>
    <dt>Connector</dt>
    <dd>{connector ? `${connector.title}, ${connector.api}` : connection.connector}</dd>
    <dt>How users connect</dt>
    <dd>{authWords(connection.authType)}</dd>
    {connection.redirectUri !== null && (
      <>
        <dt>Redirect URI</dt>
        <dd>
          <Copied text={connection.redirectUri} what="the redirect URI" />
        </dd>
      </>
    )}
    <dt>Reached at</dt>
    <dd>{connection.baseUrl ?? 'No address'}</dd>
    <dt>Created</dt>
    <dd>
      <Time at={connection.createdAt} />, changed <Time at={connection.updatedAt} />
    </dd>
  </dl>
);
