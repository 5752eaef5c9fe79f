import type { Caller, CurrentCaller } from '../caller.js';
import { networkOf } from '../listener/networks.js';
import type { AuditEvent, Commit } from '../records/commit.js';

export interface RefusedSignIn {
  /** Id of the operator who has the stated name. Absent if no operator has this name. */
  readonly object?: string;
  readonly reason:
    | 'wrong password'
    | 'unknown name'
    | 'wrong link'
    | 'ended link'
    | 'wrong passkey'
    | 'ended challenge'
    | 'too many'
    | 'many addresses';
}

interface Sum {
  readonly refused: RefusedSignIn;
  /** Caller of the first refused sign-in that this entry counts. */
  readonly caller: Caller;
  more: number;
}

// Maximum number of combinations of network, sign-in name and reason that get a row of their own in the audit log in
// one interval. All further refusals share one row, because an attacker with many addresses must not fill the audit
// log.
const MAX_SUMS = 100;
const MANY: RefusedSignIn = { reason: 'many addresses' };

const toEvent = ({ object = 'unknown', reason }: RefusedSignIn, caller: Caller, more = 0): AuditEvent => ({
  action: 'operator.sign_in_refused',
  applicationId: null,
  object,
  result: 'refused',
  reason: more === 0 ? reason : `${reason}, ${more} more`,
  caller,
});

/** Creates a writer that records refused sign-ins in the audit log. Many similar refusals need only few rows. */
export function createSignInRefusals({
  commit,
  caller,
}: {
  readonly commit: Commit;
  readonly caller: CurrentCaller;
}) {
  const sums = new Map<string, Sum>();

  function keyed(refused: RefusedSignIn): { readonly key: string } & Sum {
    const { object, reason } = refused;
    const [first, network] = [caller(), networkOf(caller().address ?? '')];
    const key = JSON.stringify([network, object, reason]);
    if (sums.has(key) || sums.size < MAX_SUMS) return { key, refused, caller: first, more: 0 };
    return { key: 'many', refused: MANY, caller: { ...first, address: null }, more: 0 };
  }

  /**
   * Writes the first refusal for an IP address, operator and reason at once. Later refusals are only counted for a
   * summary row.
   */
  async function record(refused: RefusedSignIn): Promise<void> {
    const { key, ...sum } = keyed(refused);
    const counted = sums.get(key);
    if (counted) {
      counted.more += 1;
      return;
    }
    sums.set(key, sum);
    try {
      await commit(async (_, audit) => audit(toEvent(sum.refused, sum.caller)));
    } catch (error) {
      // The database did not store the row of this refusal. The next refusal writes a row, unless others were counted
      // meanwhile.
      if (sum.more === 0) sums.delete(key);
      throw error;
    }
  }

  /**
   * Writes one audit event per combination of network, sign-in name and reason, with the number of counted refusals.
   */
  async function write(): Promise<void> {
    const ended = [...sums].map(([key, sum]) => ({ key, sum, reported: sum.more }));
    const counted = ended.filter(({ reported }) => reported > 0);
    if (counted.length > 0) {
      await commit(async (_, audit) => {
        for (const { sum, reported } of counted) audit(toEvent(sum.refused, sum.caller, reported));
      });
    }
    for (const { key, sum, reported } of ended) {
      sum.more -= reported;
      if (sum.more === 0) sums.delete(key);
    }
  }

  return { record, write };
}

export type SignInRefusals = ReturnType<typeof createSignInRefusals>;
