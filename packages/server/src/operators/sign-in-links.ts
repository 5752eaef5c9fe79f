import { newToken, type Random } from '../random.js';
import type { Commit, RecordEvent } from '../records/commit.js';
import type { OperatorRow } from '../storage/operator-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import { noOperator, toName } from './operator-name.js';

export interface SignInLinksParts {
  readonly storage: Pick<Storage, 'operators'>;
  readonly commit: Commit;
  readonly digest: Digest;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** Shown once, where it is made. */
export interface SignInLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** Links that sign an operator in once, within 15 minutes. Only a digest of a link's token is stored. */
export interface SignInLinks {
  create(name: string): Promise<SignInLink>;
  /** For whoever has been an owner the longest. */
  createForFirstOwner(): Promise<SignInLink & { readonly name: string }>;
  /** In the transaction of what it comes with. */
  add(tables: Tables, tell: RecordEvent, operator: OperatorRow): Promise<SignInLink>;
  /** The operator that the token signs in, this once; `undefined` when it is unknown, used or too old. */
  take(tables: Tables, token: string): Promise<OperatorRow | undefined>;
}

const LIFE_MS = 15 * 60_000;

export function createSignInLinks(parts: SignInLinksParts): SignInLinks {
  const { storage, commit, digest, environmentUrl, now, random } = parts;
  const digestOf = (token: string) => digest('operator sign-in link', token);

  const add: SignInLinks['add'] = async (tables, tell, { id: operatorId, name }) => {
    const token = newToken(random);
    const expiresAt = now() + LIFE_MS;
    await tables.signInLinks.insert({ digest: digestOf(token), operatorId, expiresAt });
    tell({ action: 'operator.link_created', applicationId: null, object: operatorId, reason: name });
    // What follows # stays in the browser: no server, proxy or log sees it.
    return {
      link: `${environmentUrl}/dashboard/sign-in#${token}`,
      expiresAt: new Date(expiresAt).toISOString(),
    };
  };

  const createFor = async (name: string, operator: OperatorRow | undefined) => {
    if (!operator) throw noOperator(name);
    const link = await commit((tables, tell) => add(tables, tell, operator));
    return { name: operator.name, ...link };
  };

  return {
    create: async (given) => {
      const name = toName(given);
      return createFor(name, await storage.operators.findByName(name));
    },
    createForFirstOwner: async () => createFor('owner', await storage.operators.firstOwner()),
    add,
    take: (tables, token) => tables.signInLinks.take(digestOf(token), now()),
  };
}
