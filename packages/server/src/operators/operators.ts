import { ServiceError } from '../errors.js';
import { checkIfMatch } from '../records/check-if-match.js';
import type { Audit, Commit } from '../records/commit.js';
import { etagOf } from '../records/etag.js';
import type { Lock } from '../storage/lock.js';
import type { OperatorRole, OperatorRow } from '../storage/operator-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isoTime } from '../text/iso-time.js';
import { newId, type Random } from '../text/random.js';
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

/** Person who signs in to the dashboard and operates the service. */
export interface Operator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdAt: string;
  /** Time of the last sign-in; `null` before the first sign-in. */
  readonly signedInAt: string | null;
  /** Version of the operator. Sign-ins do not change it. */
  readonly etag: string;
}

/** New password of an operator. The password is returned only once, because only its hash is stored. */
export interface OperatorPassword {
  readonly name: string;
  readonly password: string;
}

const FIRST = 'admin';

const toOperator = ({ id, name, role, createdAt, signedInAt }: OperatorRow): Operator => ({
  name,
  role,
  createdAt: isoTime(createdAt),
  signedInAt: signedInAt === null ? null : isoTime(signedInAt),
  etag: etagOf(id, role),
});

/** Manages the operators of the service. Operator names are case-insensitive. */
export function createOperators(parts: OperatorsParts) {
  const { storage, commit, lock, passwords, signInLinks, now, random } = parts;

  const toRow = (name: string, role: OperatorRole, passwordHash: string): OperatorRow => ({
    id: newId('op', random),
    name,
    role,
    passwordHash,
    createdAt: now(),
    signedInAt: null,
  });

  async function insert(row: OperatorRow, tables: Tables, audit: Audit): Promise<void> {
    const { id, name, role } = row;
    if (!(await tables.operators.insert(row))) {
      throw new ServiceError(
        'conflict',
        `The operator "${name}" already exists. Create a sign-in link for this operator, or choose another name.`,
      );
    }
    audit({ action: 'operator.created', applicationId: null, object: id, reason: `${name}, ${role}` });
  }

  async function createWith(name: string, role: OperatorRole, password: string): Promise<OperatorPassword> {
    const row = toRow(name, role, await passwords.hash(password));
    await commit((tables, audit) => insert(row, tables, audit));
    return { name, password };
  }

  // The lock serializes changes of owners. Otherwise two owners could be removed at once, because each change still
  // sees the other owner.
  const requireOwner = <T>(name: string, work: Parameters<typeof commit<T>>[0]): Promise<T> =>
    lock('owners', () =>
      commit(async (tables, audit) => {
        const done = await work(tables, audit);
        if (await tables.operators.firstOwner()) return done;
        throw new ServiceError(
          'conflict',
          `The operator "${name}" is the only owner. Make another operator an owner first.`,
        );
      }),
    );

  async function list(): Promise<readonly Operator[]> {
    return (await storage.operators.list()).map(toOperator);
  }

  /** Creates the owner `admin` if no operator exists. Returns `undefined` otherwise. */
  function createFirst({
    password,
  }: {
    readonly password?: string | undefined;
  }): Promise<OperatorPassword | undefined> {
    return lock('first operator', async () => {
      if (!(await storage.operators.isEmpty())) return undefined;
      return createWith(FIRST, 'owner', password ?? newPassword(random));
    });
  }

  async function create(name: string, role: OperatorRole): Promise<OperatorPassword> {
    return createWith(toName(name), role, newPassword(random));
  }

  /** Creates an operator without a usable password, and a one-time link to sign in and set a password. */
  async function invite(name: string, role: OperatorRole): Promise<Operator & SignInLink> {
    const row = toRow(toName(name), role, NOBODYS_HASH);
    const link = await commit(async (tables, audit) => {
      await insert(row, tables, audit);
      return signInLinks.add(tables, audit, row);
    });
    return { ...toOperator(row), ...link };
  }

  /**
   * Sets a new random password. Ends the operator's sessions, sign-in links and passkeys, because a reset must end
   * all other access.
   */
  async function reset(anyCase: string): Promise<OperatorPassword> {
    const name = toName(anyCase);
    const password = newPassword(random);
    const passwordHash = await passwords.hash(password);
    await commit(async (tables, audit) => {
      const operator = await tables.operators.setPassword(name, passwordHash);
      if (!operator) throw noOperator(name);
      await tables.operatorSessions.deleteOf(operator.id);
      await tables.signInLinks.endOf(operator.id, now());
      await tables.passkeys.deleteOf(operator.id);
      audit({
        action: 'operator.changed',
        applicationId: null,
        object: operator.id,
        reason: 'password',
      });
    });
    return { name, password };
  }

  async function checkVersion(tables: Tables, name: string, ifMatch: string): Promise<void> {
    const row = await tables.operators.findByName(name);
    if (!row) throw noOperator(name);
    const edit = { applicationId: null, object: row.id, action: 'operator.changed' } as const;
    await checkIfMatch(tables, {
      ...edit,
      ifMatch,
      etag: toOperator(row).etag,
      called: `The operator "${name}"`,
    });
  }

  /**
   * Changes the role of an operator. Open sessions get the new role at once. Throws conflict for the last owner, and if
   * `ifMatch` does not name the version of the operator.
   */
  async function changeRole(anyCase: string, role: OperatorRole, ifMatch?: string): Promise<Operator> {
    const name = toName(anyCase);
    const changed = await requireOwner(name, async (tables, audit) => {
      if (ifMatch !== undefined) await checkVersion(tables, name, ifMatch);
      const operator = await tables.operators.setRole(name, role);
      if (!operator) throw noOperator(name);
      audit({
        action: 'operator.changed',
        applicationId: null,
        object: operator.id,
        reason: `role ${role}`,
      });
      return operator;
    });
    return toOperator(changed);
  }

  /** Deletes an operator and all sessions of that operator. Throws conflict for the last owner. */
  async function remove(anyCase: string): Promise<void> {
    const name = toName(anyCase);
    await requireOwner(name, async (tables, audit) => {
      const operator = await tables.operators.delete(name);
      if (!operator) throw noOperator(name);
      audit({ action: 'operator.deleted', applicationId: null, object: operator.id, reason: name });
    });
  }

  return { list, createFirst, create, invite, reset, changeRole, delete: remove };
}

export type Operators = ReturnType<typeof createOperators>;
