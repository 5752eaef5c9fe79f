/** Counts of the calls to an upstream that ended in the second that began at `at`. */
interface Second {
  readonly at: number;
  calls: number;
  failures: number;
}

/**
 * Accounts with recent calls of one outcome, either succeeded or failed. Maps the account id to the second of its last
 * such call on the breaker's clock.
 */
type Accounts = Map<string, number>;

/**
 * State of the circuit breaker for one connection and one upstream origin: the calls of the last 10 seconds and the
 * current pause.
 */
export interface Circuit {
  /** Ring buffer with one entry per second. The index is the time in seconds modulo `WINDOW_SECONDS`. */
  readonly seconds: Second[];
  /** Accounts with recent failed and successful calls. `undefined` until the first call fails. */
  accounts: { readonly failed: Accounts; readonly responded: Accounts } | undefined;
  /** Period in which the circuit breaker currently refuses calls. `undefined` while all calls may be sent. */
  pause: Pause | undefined;
}

/** Period in which the circuit breaker refuses calls. */
export interface Pause {
  /** Time at which the circuit breaker began to refuse calls, in milliseconds of the breaker's clock. */
  readonly since: number;
  /** Time of the last failed call, in milliseconds of the breaker's clock. */
  failedAt: number;
  /** Time from which one trial call may test the upstream again, in milliseconds of the breaker's clock. */
  until: number;
  /** Accounts whose calls the circuit breaker refuses. */
  readonly of: 'everybody' | ReadonlySet<string>;
  /** Account that made the last trial call. `undefined` before the first trial call. */
  triedBy: string | undefined;
  /**
   * True if, since the last trial call, the breaker has refused a call of another account than `triedBy`. The other
   * account then makes the next trial call.
   */
  isAwaited: boolean;
}

const WINDOW_SECONDS = 10;
const MIN_CALLS = 20;
const WORST_SHARE = 0.5;
// Maximum number of failed accounts, and of successful ones, to remember per upstream. 16 suffice to tell a failing
// account from a failing upstream.
const MAX_ACCOUNTS = 16;

export const newCircuit = (): Circuit => ({
  seconds: Array.from({ length: WINDOW_SECONDS }, () => ({ at: 0, calls: 0, failures: 0 })),
  accounts: undefined,
  pause: undefined,
});

function remember(accounts: Accounts, account: string, second: number): void {
  accounts.delete(account);
  accounts.set(account, second);
  const [oldest] = accounts.keys();
  if (accounts.size > MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
}

export interface Ended {
  readonly account: string;
  readonly isFailed: boolean;
  /** End time of the call, in milliseconds of the breaker's clock. */
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
    circuit.accounts ??= { failed: new Map(), responded: new Map() };
  }
  if (circuit.accounts) remember(circuit.accounts[isFailed ? 'failed' : 'responded'], account, at);
}

const firstSecond = (now: number): number => Math.floor(now / 1000) - WINDOW_SECONDS + 1;

export function isBad({ seconds }: Circuit, now: number): boolean {
  const recent = seconds.filter(({ at }) => at >= firstSecond(now));
  const calls = recent.reduce((sum, second) => sum + second.calls, 0);
  const failures = recent.reduce((sum, second) => sum + second.failures, 0);
  return calls >= MIN_CALLS && failures >= calls * WORST_SHARE;
}

const since = (accounts: Accounts, first: number): string[] =>
  [...accounts].filter(([, second]) => second >= first).map(([account]) => account);

/**
 * Selects the accounts whose calls the circuit breaker refuses. While other accounts succeed, only failing accounts are
 * selected, because their own requests may be the cause. Otherwise all accounts are selected.
 */
export function whoFails({ accounts }: Circuit, now: number): Pause['of'] {
  if (!accounts) return 'everybody';
  const failed = since(accounts.failed, firstSecond(now));
  const responded = since(accounts.responded, firstSecond(now));
  return failed.length > 1 && failed.length >= responded.length ? 'everybody' : new Set(failed);
}
