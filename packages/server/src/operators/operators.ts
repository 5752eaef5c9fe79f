import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit, RecordEvent } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorRole, OperatorRow } from '../storage/operator-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { noOperator, toName } from './operator-name.js';
import { NOBODYS_HASH, newPassword, type Passwords } from './password.js';
import type { SignInLink, SignInLinks } from './sign-in-links.js';

export interface OperatorsParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly signInLinks: Pick<SignInLinks, 'add'>;
  readonly now: () => number;
  readonly random: Random;
}

/** A person who runs the service. */
export interface Operator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdAt: string;
  /** `null` when it never was. */
  readonly signedInAt: string | null;
}

/** The password is shown once, where it is made. */
export interface OperatorPassword {
  readonly name: string;
  readonly password: string;
}

/** The people who run the service. Names do not distinguish upper and lower case. */
export interface Operators {
  list(): Promise<readonly Operator[]>;
  /** Makes the owner `admin` unless there is an operator; `undefined` when there is. */
  createFirst(given: { readonly password?: string | undefined }): Promise<OperatorPassword | undefined>;
  create(name: string, role: OperatorRole): Promise<OperatorPassword>;
  /** Makes an operator without a password, and a link by which it signs in and sets one. */
  invite(name: string, role: OperatorRole): Promise<Operator & SignInLink>;
  /** Gives the operator a new password, which is its only way in: sessions, sign-in links and passkeys end. */
  reset(name: string): Promise<OperatorPassword>;
  /** Counts at once, in sessions that are open too. The last owner stays one. */
  changeRole(name: string, role: OperatorRole): Promise<Operator>;
  /** Ends its sessions, too. The last owner stays. */
  delete(name: string): Promise<void>;
}

const FIRST = 'admin';

const toMoment = (at: number): string => new Date(at).toISOString();

const toOperator = ({ name, role, createdAt, signedInAt }: OperatorRow): Operator => ({
  name,
  role,
  createdAt: toMoment(createdAt),
  signedInAt: signedInAt === null ? null : toMoment(signedInAt),
});

export function createOperators({
  storage,
  commit,
  lock,
  passwords,
  signInLinks,
  now,
  random,
}: OperatorsParts): Operators {
  const toRow = (name: string, role: OperatorRole, passwordHash: string): OperatorRow => ({
    id: newId('op', random),
    name,
    role,
    passwordHash,
    createdAt: now(),
    signedInAt: null,
  });

  async function insert(row: OperatorRow, tables: Tables, tell: RecordEvent): Promise<void> {
    const { id, name, role } = row;
    if (!(await tables.operators.insert(row))) {
      throw new ServiceError(
        'conflict',
        `There is an operator "${name}" already; give it a sign-in link, or choose another name.`,
      );
    }
    tell({ action: 'operator.created', applicationId: null, object: id, reason: `${name}, ${role}` });
  }

  async function create(name: string, role: OperatorRole, password: string): Promise<OperatorPassword> {
    const row = toRow(name, role, await passwords.hash(password));
    await commit((tables, tell) => insert(row, tables, tell));
    return { name, password };
  }

  // One at a time: of two owners who go at once, each would see the other one stay.
  const keepOwner = <T>(name: string, work: Parameters<typeof commit<T>>[0]): Promise<T> =>
    lock('owners', () =>
      commit(async (tables, tell) => {
        const done = await work(tables, tell);
        if (await tables.operators.firstOwner()) return done;
        throw new ServiceError('conflict', `"${name}" is the only owner; make another operator one first.`);
      }),
    );

  return {
    list: async () => (await storage.operators.list()).map(toOperator),

    createFirst: ({ password }) =>
      lock('first operator', async () => {
        if (!(await storage.operators.isEmpty())) return undefined;
        return create(FIRST, 'owner', password ?? newPassword(random));
      }),

    create: async (name, role) => create(toName(name), role, newPassword(random)),

    async invite(name, role) {
      const row = toRow(toName(name), role, NOBODYS_HASH);
      const link = await commit(async (tables, tell) => {
        await insert(row, tables, tell);
        return signInLinks.add(tables, tell, row);
      });
      return { ...toOperator(row), ...link };
    },

    async reset(given) {
      const name = toName(given);
      const password = newPassword(random);
      const passwordHash = await passwords.hash(password);
      await commit(async (tables, tell) => {
        const operator = await tables.operators.setPassword(name, passwordHash);
        if (!operator) throw noOperator(name);
        await tables.operatorSessions.deleteOf(operator.id);
        await tables.signInLinks.deleteOf(operator.id);
        await tables.passkeys.deleteOf(operator.id);
        tell({ action: 'operator.changed', applicationId: null, object: operator.id, reason: 'password' });
      });
      return { name, password };
    },

    async changeRole(given, role) {
      const name = toName(given);
      const changed = await keepOwner(name, async (tables, tell) => {
        const operator = await tables.operators.setRole(name, role);
        if (!operator) throw noOperator(name);
        tell({
          action: 'operator.changed',
          applicationId: null,
          object: operator.id,
          reason: `role ${role}`,
        });
        return operator;
      });
      return toOperator(changed);
    },

    async delete(given) {
      const name = toName(given);
      await keepOwner(name, async (tables, tell) => {
        const operator = await tables.operators.delete(name);
        if (!operator) throw noOperator(name);
        tell({ action: 'operator.deleted', applicationId: null, object: operator.id, reason: name });
      });
    },
  };
}
