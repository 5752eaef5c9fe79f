/** The calls of one second. */
interface Second {
  readonly at: number;
  calls: number;
  failures: number;
}

/** Whose calls ended so, and in which second they did last. */
type Accounts = Map<string, number>;

/** What the last seconds told of an upstream. */
export interface Circuit {
  /** Each at its number modulo their count. */
  readonly seconds: Second[];
  /** `undefined` until a call fails. */
  accounts: { readonly failed: Accounts; readonly answered: Accounts } | undefined;
  /** `undefined` while all is well. */
  pause: Pause | undefined;
}

/** While nothing is sent. */
export interface Pause {
  /** Then one call may try. */
  until: number;
  /** Those that hold still: everybody, or these accounts. */
  readonly of: 'everybody' | ReadonlySet<string>;
  /** The account whose call tried last. */
  triedBy: string | undefined;
  /** Whether another account has asked since. */
  isAwaited: boolean;
}

const WINDOW_SECONDS = 10;
const LEAST_CALLS = 20;
const WORST_SHARE = 0.5;
// Enough to tell one account's failures from those of many; each may take some memory for every upstream.
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
  /** Milliseconds. */
  readonly now: number;
}

export function count(circuit: Circuit, { account, isFailed, now }: Ended): void {
  const at = Math.floor(now / 1000);
  const kept = circuit.seconds[at % WINDOW_SECONDS];
  const second = kept?.at === at ? kept : { at, calls: 0, failures: 0 };
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

/** Who is to hold still: those who fail, as long as they may be the reason themselves, because others do not. */
export function whoFails({ accounts }: Circuit, now: number): Pause['of'] {
  if (!accounts) return 'everybody';
  const failed = since(accounts.failed, firstSecond(now));
  const answered = since(accounts.answered, firstSecond(now));
  return failed.length > 1 && failed.length >= answered.length ? 'everybody' : new Set(failed);
}
