import { ServiceError } from '../errors.js';
import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorPasskeyRow } from '../storage/operator-rows.js';
import type { LiveSession } from '../storage/operator-tables.js';
import type { Storage } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newId, type Random } from '../text/random.js';
import type { OperatorSessions } from './operator-sessions.js';
import type { NewCredential, PasskeyCeremony, RegistrationResponseJSON } from './passkey-ceremony.js';
import type { OpenChallenge, PasskeyChallenges } from './passkey-challenges.js';

export interface PasskeysParts {
  readonly storage: Pick<Storage, 'passkeys'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly operatorSessions: Pick<OperatorSessions, 'get' | 'hold'>;
  readonly passkeyCeremony: PasskeyCeremony;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly now: () => number;
  readonly random: Random;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Time of the last sign-in with the passkey; `null` before the first one. */
  readonly usedAt: string | null;
}

export interface NewPasskey {
  /** Display name that the operator chose for the passkey. */
  readonly name: string;
  readonly credential: RegistrationResponseJSON;
  /**
   * Value of the cookie that the browser got together with the WebAuthn creation options; `undefined` without the
   * cookie.
   */
  readonly sealed: string | undefined;
}

const MAX_PASSKEYS = 10;

const toPasskey = ({ id, name, createdAt, usedAt }: OperatorPasskeyRow): Passkey => ({
  id,
  name,
  createdAt: isoTime(createdAt),
  usedAt: usedAt === null ? null : isoTime(usedAt),
});

const purposeOf = (operatorId: string) => `register ${operatorId}`;

const tooLate = () =>
  new ServiceError(
    'invalid_request',
    'The passkey was not added, because this attempt took longer than 5 minutes, was completed before or lost its cookie. Add the passkey again.',
  );

/** Manages the passkeys of the signed-in operator. */
export function createPasskeys(parts: PasskeysParts) {
  const { storage, commit, lock, operatorSessions, passkeyCeremony, passkeyChallenges, now, random } = parts;

  async function verify({ credential }: NewPasskey, { challenge }: OpenChallenge): Promise<NewCredential> {
    try {
      return await passkeyCeremony.verifyRegistration(credential, challenge);
    } catch (cause) {
      const message =
        'This passkey was not added, because its data is invalid. Try again, or use another device.';
      throw new ServiceError('invalid_request', message, undefined, { cause });
    }
  }

  const insert = (session: LiveSession, row: OperatorPasskeyRow, open: OpenChallenge): Promise<void> =>
    commit(async (tables, audit) => {
      const { operatorId: object, name: reason } = row;
      // `hold` locks the operator and throws if a password reset ended the session. A passkey added after a reset would
      // bypass the new password.
      await operatorSessions.hold(tables, session);
      if (!(await passkeyChallenges.complete(tables, open))) throw tooLate();
      if (!(await tables.passkeys.insert(row)))
        throw new ServiceError('conflict', 'This passkey is already registered. Use another passkey.');
      audit({ action: 'operator.passkey_added', applicationId: null, object, reason });
    });

  async function list(sessionId: string): Promise<readonly Passkey[]> {
    const { operatorId } = await operatorSessions.get(sessionId);
    return (await storage.passkeys.listOf(operatorId)).map(toPasskey);
  }

  /**
   * Creates the WebAuthn creation options for the browser, and the cookie value that binds the challenge to this
   * browser.
   */
  async function request(sessionId: string): Promise<{
    readonly options: ReturnType<PasskeyCeremony['requestRegistration']>;
    readonly sealed: string;
  }> {
    const { operatorId, name } = await operatorSessions.get(sessionId);
    const rows = await storage.passkeys.listOf(operatorId);
    const existing = rows.map(({ credentialId }) => credentialId);
    const { challenge, sealed } = passkeyChallenges.create(purposeOf(operatorId));
    const options = passkeyCeremony.requestRegistration({ challenge, operatorId, name, existing });
    return { options, sealed };
  }

  async function add(sessionId: string, passkey: NewPasskey): Promise<Passkey> {
    const session = await operatorSessions.get(sessionId);
    const { operatorId } = session;
    const open = passkeyChallenges.open(purposeOf(operatorId), passkey.sealed);
    if (!open) throw tooLate();
    const credential = await verify(passkey, open);
    const row: OperatorPasskeyRow = {
      credentialId: credential.credentialId,
      publicKey: credential.publicKey,
      counter: credential.counter,
      id: newId('passkey', random),
      operatorId,
      name: passkey.name,
      createdAt: now(),
      usedAt: null,
    };
    await lock(`passkeys ${operatorId}`, async () => {
      if ((await storage.passkeys.listOf(operatorId)).length >= MAX_PASSKEYS)
        throw new ServiceError('conflict', `You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
      await insert(session, row, open);
    });
    return toPasskey(row);
  }

  async function remove(sessionId: string, id: string): Promise<void> {
    const { operatorId: object } = await operatorSessions.get(sessionId);
    await commit(async (tables, audit) => {
      const removed = await tables.passkeys.delete(object, id);
      if (!removed)
        throw new ServiceError('not_found', `You have no passkey "${id}". Reload the list of your passkeys.`);
      const { name: reason } = removed;
      audit({ action: 'operator.passkey_removed', applicationId: null, object, reason });
    });
  }

  return { list, request, add, remove };
}

export type Passkeys = ReturnType<typeof createPasskeys>;
