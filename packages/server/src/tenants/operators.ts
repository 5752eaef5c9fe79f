import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorRole, OperatorRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { newPassword, type Passwords } from './password.js';

export interface OperatorsParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly passwords: Pick<Passwords, 'hash'>;
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
  /** Gives the operator a new password and ends all of its sessions. */
  reset(name: string): Promise<OperatorPassword>;
  /** Counts at once, in sessions that are open too. The last owner stays one. */
  changeRole(name: string, role: OperatorRole): Promise<Operator>;
  /** Ends its sessions, too. The last owner stays. */
  delete(name: string): Promise<void>;
}

const FIRST = 'admin';
const NAME = /^[a-z0-9][a-z0-9._@+-]{0,63}$/;

function toName(given: string): string {
  const name = given.toLowerCase();
  if (NAME.test(name)) return name;
  throw new ServiceError(
    'invalid_request',
    `"${given}" cannot be the name of an operator; give letters, digits and . _ @ + -, 64 at most, such as ada or ada@example.com.`,
  );
}

const toMoment = (at: number): string => new Date(at).toISOString();

const toOperator = ({ name, role, createdAt, signedInAt }: OperatorRow): Operator => ({
  name,
  role,
  createdAt: toMoment(createdAt),
  signedInAt: signedInAt === null ? null : toMoment(signedInAt),
});

const noOperator = (name: string) => new ServiceError('not_found', `There is no operator "${name}".`);

export function createOperators({
  storage,
  commit,
  lock,
  passwords,
  now,
  random,
}: OperatorsParts): Operators {
  async function insert(name: string, role: OperatorRole, password: string): Promise<OperatorPassword> {
    const row: OperatorRow = {
      id: newId('op', random),
      name,
      role,
      passwordHash: await passwords.hash(password),
      createdAt: now(),
      signedInAt: null,
    };
    await commit(async (tables, tell) => {
      if (!(await tables.operators.insert(row))) {
        throw new ServiceError(
          'conflict',
          `There is an operator "${name}" already; reset its password, or choose another name.`,
        );
      }
      tell({ action: 'operator.created', applicationId: null, object: row.id, reason: `${name}, ${role}` });
    });
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
        return insert(FIRST, 'owner', password ?? newPassword(random));
      }),

    create: async (name, role) => insert(toName(name), role, newPassword(random)),

    async reset(given) {
      const name = toName(given);
      const password = newPassword(random);
      const passwordHash = await passwords.hash(password);
      await commit(async (tables, tell) => {
        const operator = await tables.operators.setPassword(name, passwordHash);
        if (!operator) throw noOperator(name);
        await tables.operatorSessions.deleteOf(operator.id);
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
