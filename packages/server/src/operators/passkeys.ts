import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorPasskeyRow } from '../storage/operator-rows.js';
import type { LiveSession } from '../storage/operator-tables.js';
import type { Storage } from '../storage/storage.js';
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
  /** `null` when it never was. */
  readonly usedAt: string | null;
}

export interface NewPasskey {
  /** What the operator calls it. */
  readonly name: string;
  readonly credential: RegistrationResponseJSON;
  /** Of the cookie that came with the options. */
  readonly sealed: string | undefined;
}

/** The passkeys of whoever has the session. */
export interface Passkeys {
  list(sessionId: string): Promise<readonly Passkey[]>;
  /** What the browser is asked for, and the cookie that it keeps meanwhile. */
  request(sessionId: string): Promise<{
    readonly options: ReturnType<PasskeyCeremony['requestRegistration']>;
    readonly sealed: string;
  }>;
  add(sessionId: string, given: NewPasskey): Promise<Passkey>;
  remove(sessionId: string, id: string): Promise<void>;
}

const MOST = 10;

const toMoment = (at: number): string => new Date(at).toISOString();

const toPasskey = ({ id, name, createdAt, usedAt }: OperatorPasskeyRow): Passkey => ({
  id,
  name,
  createdAt: toMoment(createdAt),
  usedAt: usedAt === null ? null : toMoment(usedAt),
});

const purposeOf = (operatorId: string) => `register ${operatorId}`;

const tooLate = () =>
  new ServiceError(
    'invalid_request',
    'The browser took longer than 5 minutes, or another one began: try again.',
  );

export function createPasskeys(parts: PasskeysParts): Passkeys {
  const { storage, commit, lock, operatorSessions, passkeyCeremony, passkeyChallenges, now, random } = parts;

  async function verify({ credential }: NewPasskey, { challenge }: OpenChallenge): Promise<NewCredential> {
    try {
      return await passkeyCeremony.verifyRegistration(credential, challenge);
    } catch (cause) {
      const message = 'This passkey cannot be taken; try again, or use another device.';
      throw new ServiceError('invalid_request', message, undefined, { cause });
    }
  }

  const insert = (session: LiveSession, row: OperatorPasskeyRow, open: OpenChallenge): Promise<void> =>
    commit(async (tables, tell) => {
      const { operatorId: object, name: reason } = row;
      // A reset leaves no way in but the new password: none may come after it.
      await operatorSessions.hold(tables, session);
      if (!(await passkeyChallenges.answer(tables, open))) throw tooLate();
      if (!(await tables.passkeys.insert(row)))
        throw new ServiceError('conflict', 'This passkey is known already; use it, or another one.');
      tell({ action: 'operator.passkey_added', applicationId: null, object, reason });
    });

  return {
    async list(sessionId) {
      const { operatorId } = await operatorSessions.get(sessionId);
      return (await storage.passkeys.listOf(operatorId)).map(toPasskey);
    },

    async request(sessionId) {
      const { operatorId, name } = await operatorSessions.get(sessionId);
      const rows = await storage.passkeys.listOf(operatorId);
      const existing = rows.map(({ credentialId }) => credentialId);
      const { challenge, sealed } = passkeyChallenges.create(purposeOf(operatorId));
      const options = passkeyCeremony.requestRegistration({ challenge, operatorId, name, existing });
      return { options, sealed };
    },

    async add(sessionId, given) {
      const session = await operatorSessions.get(sessionId);
      const { operatorId } = session;
      const open = passkeyChallenges.open(purposeOf(operatorId), given.sealed);
      if (!open) throw tooLate();
      const credential = await verify(given, open);
      const row: OperatorPasskeyRow = {
        ...credential,
        id: newId('passkey', random),
        operatorId,
        name: given.name,
        createdAt: now(),
        usedAt: null,
      };
      await lock(`passkeys ${operatorId}`, async () => {
        if ((await storage.passkeys.listOf(operatorId)).length >= MOST)
          throw new ServiceError('conflict', `You have ${MOST} passkeys already; remove one first.`);
        await insert(session, row, open);
      });
      return toPasskey(row);
    },

    async remove(sessionId, id) {
      const { operatorId: object } = await operatorSessions.get(sessionId);
      await commit(async (tables, tell) => {
        const removed = await tables.passkeys.delete(object, id);
        if (!removed) throw new ServiceError('not_found', `You have no passkey ${id}.`);
        const { name: reason } = removed;
        tell({ action: 'operator.passkey_removed', applicationId: null, object, reason });
      });
    },
  };
}
