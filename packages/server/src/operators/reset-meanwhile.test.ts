import { expect, test } from 'vitest';
import { createTenant, ENVIRONMENT_URL } from '../../test/support/service/create-tenant.js';
import { ServiceError } from '../errors.js';
import type { SignInAttempt } from '../limits/sign-in-attempt.js';
import { createOperatorSignIn } from './operator-sign-in.js';
import { createOwnPassword } from './own-password.js';
import { createPasskeyCeremony } from './passkey-ceremony.js';
import { createPasskeyChallenges } from './passkey-challenges.js';
import { createPasskeys } from './passkeys.js';

const ADDRESS = '192.0.2.1';
const CREDENTIAL = {
  id: 'credential',
  rawId: 'credential',
  response: { clientDataJSON: '', attestationObject: '' },
  clientExtensionResults: {},
  type: 'public-key',
} as const;
const PASSKEY = { credentialId: 'credential', publicKey: 'key', counter: 0 };

const attempt: SignInAttempt = (_who, verify) =>
  verify((_refusal, message) => new ServiceError('unauthorized', message));

/** Signs in the operator `ada`. The fake password functions reset ada's password while they run. */
async function createReset() {
  const tenant = await createTenant();
  const { operators, operatorSignIn, operatorSessions, database } = tenant;
  const { password } = await operators.create('ada', 'owner');
  const { sessionId } = await operatorSignIn.byPassword({ name: 'ada', password, address: ADDRESS });
  const state = { next: '' };
  const reset = async () => {
    state.next = (await operators.reset('ada')).password;
  };
  const passwords = {
    isRight: async () => reset().then(() => true),
    hash: async () => reset().then(() => 'of a thief'),
  };
  /** Returns the sessions and passkeys that still exist. A reset must leave none to a thief. */
  const waysIn = async () => ({
    sessions: await database.selectFrom('operatorSessions').selectAll().execute(),
    passkeys: await database.selectFrom('operatorPasskeys').selectAll().execute(),
  });
  const signInAnew = () => operatorSignIn.byPassword({ name: 'ada', password: state.next, address: ADDRESS });
  return { ...tenant, operatorSessions, password, sessionId, passwords, reset, waysIn, signInAnew };
}

type Reset = Awaited<ReturnType<typeof createReset>>;

const attempts: readonly { title: string; run: (given: Reset) => Promise<unknown> }[] = [
  {
    title: 'a sign-in with the old password',
    run: ({ password, ...parts }) =>
      createOperatorSignIn({ ...parts, attempt }).byPassword({ name: 'ada', password, address: ADDRESS }),
  },
  {
    title: 'a change of the password in the old session',
    run: ({ sessionId, passwords, ...parts }) =>
      createOwnPassword({
        ...parts,
        attempt,
        passwords: { ...passwords, isRight: async () => true },
      }).change({ sessionId, password: 'old', newPassword: 'of a thief', address: ADDRESS }),
  },
  {
    title: 'a new passkey in the old session',
    async run({ sessionId, reset, ...parts }) {
      const ceremony = createPasskeyCeremony({ environmentUrl: ENVIRONMENT_URL });
      const challenges = createPasskeyChallenges(parts);
      const { operatorId } = await parts.operatorSessions.get(sessionId);
      const passkeys = createPasskeys({
        ...parts,
        passkeyCeremony: { ...ceremony, verifyRegistration: async () => reset().then(() => PASSKEY) },
        passkeyChallenges: challenges,
      });
      const { sealed } = challenges.create(`register ${operatorId}`);
      return passkeys.add(sessionId, { name: 'Phone', credential: CREDENTIAL, sealed });
    },
  },
];

test.each(attempts)('D1: $title fails when the password is reset in the meantime', async ({ run }) => {
  const given = await createReset();
  await expect(run(given)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await given.waysIn()).toEqual({ sessions: [], passkeys: [] });
  expect(await given.signInAnew()).toMatchObject({ name: 'ada' });
});
