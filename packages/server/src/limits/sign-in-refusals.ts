import type { Caller, CurrentCaller } from '../caller.js';
import { networkOf } from '../listener/networks.js';
import type { AuditEvent, Commit } from '../records/commit.js';

export interface RefusedSignIn {
  /** The operator's id, where there is one of that name. */
  readonly object?: string;
  readonly reason:
    | 'wrong password'
    | 'unknown name'
    | 'wrong link'
    | 'wrong passkey'
    | 'too many'
    | 'many addresses';
}

/** Tells the audit log of refused sign-ins in a row or two, however many there are. */
export interface SignInRefusals {
  /** Writes the first of an address, an operator and a reason at once; the others are counted. */
  record(refused: RefusedSignIn): Promise<void>;
  /** Writes how many were counted since it was called last. */
  write(): Promise<void>;
}

export interface SignInRefusalsParts {
  readonly commit: Commit;
  readonly caller: CurrentCaller;
}

interface Sum {
  readonly refused: RefusedSignIn;
  /** Of the first. */
  readonly caller: Caller;
  more: number;
}

// Whoever has many addresses must not write a row for each: those after so many count as one.
const MOST_SUMS = 100;
const MANY: RefusedSignIn = { reason: 'many addresses' };

const toEvent = ({ object = 'unknown', reason }: RefusedSignIn, caller: Caller, more = 0): AuditEvent => ({
  action: 'operator.sign_in_refused',
  applicationId: null,
  object,
  result: 'refused',
  reason: more === 0 ? reason : `${reason}, ${more} more`,
  caller,
});

export function createSignInRefusals({ commit, caller }: SignInRefusalsParts): SignInRefusals {
  const sums = new Map<string, Sum>();

  function keyed(refused: RefusedSignIn): { readonly key: string } & Sum {
    const { object, reason } = refused;
    const [first, network] = [caller(), networkOf(caller().address ?? '')];
    const key = JSON.stringify([network, object, reason]);
    if (sums.has(key) || sums.size < MOST_SUMS) return { key, refused, caller: first, more: 0 };
    return { key: 'many', refused: MANY, caller: { ...first, address: null }, more: 0 };
  }

  return {
    async record(refused) {
      const { key, ...sum } = keyed(refused);
      const counted = sums.get(key);
      if (counted) {
        counted.more += 1;
        return;
      }
      sums.set(key, sum);
      try {
        await commit(async (_, tell) => tell(toEvent(sum.refused, sum.caller)));
      } catch (error) {
        // The next one is the first again, unless some were counted meanwhile.
        if (sum.more === 0) sums.delete(key);
        throw error;
      }
    },

    async write() {
      const ended = [...sums].map(([key, sum]) => ({ key, sum, told: sum.more }));
      const counted = ended.filter(({ told }) => told > 0);
      if (counted.length > 0) {
        await commit(async (_, tell) => {
          for (const { sum, told } of counted) tell(toEvent(sum.refused, sum.caller, told));
        });
      }
      for (const { key, sum, told } of ended) {
        sum.more -= told;
        if (sum.more === 0) sums.delete(key);
      }
    },
  };
}
