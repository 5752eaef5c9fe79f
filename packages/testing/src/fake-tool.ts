import { FAILURE_STATUS, type FailureCode, type FailureDetails } from './failures.js';

/** A call that a fake has answered. */
export interface FakeCall<Input> {
  /** Input as the caller sent it, without defaults. */
  readonly input: Input;
  /** The account, as the call named it. */
  readonly connectedAccountId?: string | undefined;
  /** The account's, where the fake has seen it or the call named it. */
  readonly connectionName?: string | undefined;
  /** The account's, where the fake has seen it or the call named it. */
  readonly identifier?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** A fake tool. It returns its example until the test plans outcomes, which apply in order; the last one stays. */
export interface FakeTool<Input, Output> {
  /** Answers with this data, or with what is made of the input. Throws at once when the tool never answers so. */
  replies(data: Output | ((input: Input) => Output | Promise<Output>)): FakeTool<Input, Output>;
  /** Fails as the service does. */
  fails<Code extends FailureCode>(
    code: Code,
    ...details: Record<never, never> extends FailureDetails<Code>
      ? [details?: FailureDetails<Code>]
      : [details: FailureDetails<Code>]
  ): FakeTool<Input, Output>;
  /** The calls so far, in their order. */
  readonly calls: readonly FakeCall<Input>[];
}

/** Failure that the test plans for a call. */
export interface Failing {
  readonly code: FailureCode;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Data that the test plans for a call. */
export interface Replying {
  readonly data: (input: unknown) => unknown;
}

/** Outcome of a call of a fake. */
export type Outcome = Failing | Replying;

/** A fake, with the plan for its calls. */
export interface PlannedTool {
  /** Name in the test, such as `fake.calendar.createEvent`. */
  readonly label: string;
  readonly fake: FakeTool<unknown, unknown>;
  readonly calls: FakeCall<unknown>[];
  /** Outcome of the next call; `undefined` if the test planned none. */
  readonly next: () => Outcome | undefined;
}

/** Makes the fake of a tool. `check` throws what is wrong with a reply, and gives it as JSON has it. */
export function createFakeTool(label: string, check: (data: unknown) => unknown): PlannedTool {
  const calls: FakeCall<unknown>[] = [];
  const waiting: Outcome[] = [];
  let current: Outcome | undefined;
  const plan = (outcome: Outcome): FakeTool<unknown, unknown> => {
    waiting.push(outcome);
    return fake;
  };
  const toReply = (data: unknown): Replying['data'] => {
    if (typeof data === 'function') return (input) => data(input);
    const checked = check(data);
    return () => checked;
  };
  const fake: FakeTool<unknown, unknown> = {
    calls,
    replies: (data) => plan({ data: toReply(data) }),
    fails: (code, ...[given = {}]) => {
      if (!Object.hasOwn(FAILURE_STATUS, code))
        throw new TypeError(`${label} cannot fail with "${code}": the service has no such code.`);
      const { message, ...details }: Partial<FailureDetails<FailureCode>> = given;
      return plan({ code, message, details });
    },
  };
  return {
    label,
    fake,
    calls,
    next: () => {
      current = waiting.shift() ?? current;
      return current;
    },
  };
}
