import { ServiceError } from '../errors.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorRow } from '../storage/schema.js';
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
  readonly createdAt: string;
}

/** The password is shown once, where it is made. */
export interface OperatorPassword {
  readonly name: string;
  readonly password: string;
}

/** The people who run the service. Names do not distinguish upper and lower case. */
export interface Operators {
  list(): Promise<readonly Operator[]>;
  /** Makes the operator `admin` unless there is an operator; `undefined` when there is. */
  createFirst(given: { readonly password?: string | undefined }): Promise<OperatorPassword | undefined>;
  create(name: string): Promise<OperatorPassword>;
  /** Gives the operator a new password and ends all of its sessions. */
  reset(name: string): Promise<OperatorPassword>;
  /** Ends its sessions, too. The last operator stays. */
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

const noOperator = (name: string) => new ServiceError('not_found', `There is no operator "${name}".`);

export function createOperators({
  storage,
  commit,
  lock,
  passwords,
  now,
  random,
}: OperatorsParts): Operators {
  async function insert(name: string, password: string): Promise<OperatorPassword> {
    const passwordHash = await passwords.hash(password);
    const row: OperatorRow = { id: newId('op', random), name, passwordHash, createdAt: now() };
    await commit(async (tables, tell) => {
      if (!(await tables.operators.insert(row))) {
        throw new ServiceError(
          'conflict',
          `There is an operator "${name}" already; reset its password, or choose another name.`,
        );
      }
      tell({ action: 'operator.created', applicationId: null, object: row.id, reason: name });
    });
    return { name, password };
  }

  return {
    list: async () =>
      (await storage.operators.list()).map(({ name, createdAt }) => ({
        name,
        createdAt: new Date(createdAt).toISOString(),
      })),

    createFirst: ({ password }) =>
      lock('first operator', async () => {
        if (!(await storage.operators.isEmpty())) return undefined;
        return insert(FIRST, password ?? newPassword(random));
      }),

    create: async (name) => insert(toName(name), newPassword(random)),

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

    async delete(given) {
      const name = toName(given);
      await commit(async (tables, tell) => {
        const operator = await tables.operators.delete(name);
        if (!operator) throw noOperator(name);
        if (await tables.operators.isEmpty()) {
          throw new ServiceError('conflict', `"${name}" is the only operator; make another one first.`);
        }
        tell({ action: 'operator.deleted', applicationId: null, object: operator.id, reason: name });
      });
    },
  };
}
