/** Calls of one second. */
interface Second {
  readonly at: number;
  calls: number;
  failures: number;
}

/**
 * Accounts that had a call with one outcome, success or failure. The value is the time of the last such call in
 * seconds.
 */
type Accounts = Map<string, number>;

/** The calls of the last seconds to one upstream. */
export interface Circuit {
  /** Ring buffer: a second is at its number modulo the size. */
  readonly seconds: Second[];
  /** `undefined` until a call fails. */
  accounts: { readonly failed: Accounts; readonly answered: Accounts } | undefined;
  /** `undefined` while calls may be sent. */
  pause: Pause | undefined;
}

/** A time in which calls are refused. */
export interface Pause {
  /** Time of the next trial, in milliseconds of the breaker's clock. */
  until: number;
  /** The paused accounts. */
  readonly of: 'everybody' | ReadonlySet<string>;
  /** Account of the last trial. */
  triedBy: string | undefined;
  /** True when another account was refused since that trial. */
  isAwaited: boolean;
}

const WINDOW_SECONDS = 10;
const LEAST_CALLS = 20;
const WORST_SHARE = 0.5;
// Enough to tell failures of one account from failures of many. The memory is needed for each upstream.
const MOST_ACCOUNTS = 16;

export const newCircuit = (): Circuit => ({
  seconds: Array.from({ length: WINDOW_SECONDS }, () => ({ at: 0, calls: 0, failures: 0 })),
  accounts: undefined,
  pause: undefined,
});

function remember(accounts: Accounts, account: string, second: number): void {
  accounts.delete(account);
  accounts.set(account, second);
  const [oldest] = accounts.keys();
  if (accounts.size > MOST_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
}

export interface Ended {
  readonly account: string;
  readonly isFailed: boolean;
  /** Time of the outcome, in milliseconds of the breaker's clock. */
  readonly now: number;
}

export function count(circuit: Circuit, { account, isFailed, now }: Ended): void {
  const at = Math.floor(now / 1000);
  const current = circuit.seconds[at % WINDOW_SECONDS];
  const second = current?.at === at ? current : { at, calls: 0, failures: 0 };
  circuit.seconds[at % WINDOW_SECONDS] = second;
  second.calls += 1;
  if (isFailed) {
    second.failures += 1;
    circuit.accounts ??= { failed: new Map(), answered: new Map() };
  }
  if (circuit.accounts) remember(circuit.accounts[isFailed ? 'failed' : 'answered'], account, at);
}

const firstSecond = (now: number): number => Math.floor(now / 1000) - WINDOW_SECONDS + 1;

export function isBad({ seconds }: Circuit, now: number): boolean {
  const recent = seconds.filter(({ at }) => at >= firstSecond(now));
  const calls = recent.reduce((sum, second) => sum + second.calls, 0);
  const failures = recent.reduce((sum, second) => sum + second.failures, 0);
  return calls >= LEAST_CALLS && failures >= calls * WORST_SHARE;
}

const since = (accounts: Accounts, first: number): string[] =>
  [...accounts].filter(([, second]) => second >= first).map(([account]) => account);

/**
 * Selects the accounts to pause. While other accounts succeed, only the failing ones are paused, because their own
 * requests may be the cause. Otherwise everybody is paused.
 */
export function whoFails({ accounts }: Circuit, now: number): Pause['of'] {
  if (!accounts) return 'everybody';
  const failed = since(accounts.failed, firstSecond(now));
  const answered = since(accounts.answered, firstSecond(now));
  return failed.length > 1 && failed.length >= answered.length ? 'everybody' : new Set(failed);
}
