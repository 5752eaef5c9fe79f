import { ServiceError } from '../errors.js';
import { type Secret, secret } from '../secret.js';
import type { ConnectionRow } from '../storage/schema.js';
import { readConnectedAs } from '../text/connected-as.js';
import type { AccountSecrets, TriedSecrets } from './account-secrets.js';
import { addressesOf } from './connection-addresses.js';
import { type Connectors, findConnector, keyField } from './connector.js';
import type { CredentialTrial, VerifyCredential } from './verify-credential.js';

interface TrySecretsParts {
  readonly connectors: Connectors;
  readonly verifyCredential: VerifyCredential;
}

const UNTRIED: TriedSecrets = { connectedAs: null, isVerified: false };

function refuse(upstream: string, field: string, trial: CredentialTrial): void {
  if (trial.outcome !== 'refused') return;
  throw new ServiceError(
    'invalid_request',
    `${upstream} refused ${field} with status ${trial.status}, so nothing was stored. ${trial.advice ?? 'Copy the value from the upstream again and send it.'}`,
    { reason: 'key_refused', field, status: trial.status },
  );
}

export function createTrySecrets({ connectors, verifyCredential }: TrySecretsParts) {
  /**
   * Tests new secrets at the upstream before they are stored. Throws invalid_request with reason `key_refused` if the
   * upstream refuses one. If the upstream is unreachable, the secrets are stored without a test.
   */
  async function trySecrets(
    connection: ConnectionRow,
    key: Secret | undefined,
    { credentials = {}, verify = true }: AccountSecrets,
  ): Promise<TriedSecrets> {
    const isGiven = key !== undefined || Object.keys(credentials).length > 0;
    if (!verify || !isGiven) return UNTRIED;
    const connector = findConnector(connectors, connection.connector);
    const given = {
      applicationId: connection.applicationId,
      connector: connector.id,
      addresses: addressesOf({ ...connection, connectionName: connection.name }, connector),
    };
    const trials: CredentialTrial[] = [];
    for (const [name, value] of Object.entries(credentials)) {
      const trial = await verifyCredential({ ...given, secret: secret(value), name });
      // A secondary credential belongs to another company than the connector's service.
      refuse('The upstream', `credentials.${name}`, trial);
      trials.push(trial);
    }
    if (key === undefined) return { connectedAs: null, isVerified: areAccepted(trials) };
    const trial = await verifyCredential({ ...given, secret: key });
    refuse(connector.service, keyField(connector.auth.type) ?? 'the key', trial);
    const hasIdentity = trial.outcome === 'accepted' && connector.identity?.from === 'verify';
    return {
      connectedAs: hasIdentity && connector.identity ? readConnectedAs(connector.identity, trial.body) : null,
      isVerified: areAccepted([...trials, trial]),
    };
  }
  return trySecrets;
}

const areAccepted = (trials: readonly CredentialTrial[]): boolean =>
  trials.every(({ outcome }) => outcome === 'accepted');

export type TrySecrets = ReturnType<typeof createTrySecrets>;
