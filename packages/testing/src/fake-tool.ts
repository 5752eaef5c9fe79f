import { FAILURE_STATUS, type FailureCode, type FailureDetails } from './failures.js';

/** Call to which a fake tool has responded. */
export interface FakeCall<Input> {
  /** Input as the caller sent it, without defaults. */
  readonly input: Input;
  /** Id of the connected account, if the call contained one. */
  readonly connectedAccountId?: string | undefined;
  /** Connection name of the account, if this call or an earlier request contained it. */
  readonly connectionName?: string | undefined;
  /** User identifier of the account, if this call or an earlier request contained it. */
  readonly identifier?: string | undefined;
  /** Label of the account, if this call or an earlier request contained it. Absent for the account without a label. */
  readonly account?: string | undefined;
  /** Idempotency key of the call. Absent for a tool that only reads, unless the caller gave a key. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Fake tool of a test. It returns the data of the tool's example until the test plans outcomes. Planned outcomes apply
 * in order, and the last one applies to all further calls.
 */
export interface FakeTool<Input, Output> {
  /**
   * Plans a reply with this data, or with the result of the function. The function gets the input and the call, so that
   * each account or label can have other data. Throws immediately when the data breaks the output schema of every
   * version of the tool.
   */
  replies(
    data: Output | ((input: Input, call: FakeCall<Input>) => Output | Promise<Output>),
  ): FakeTool<Input, Output>;
  /** Plans a failure with this error code of the service. */
  fails<Code extends FailureCode>(
    code: Code,
    ...details: Record<never, never> extends FailureDetails<Code>
      ? [details?: FailureDetails<Code>]
      : [details: FailureDetails<Code>]
  ): FakeTool<Input, Output>;
  /** Calls that the fake tool has received so far, oldest first. */
  readonly calls: readonly FakeCall<Input>[];
}

/** Failure that the test planned as the outcome of a call. */
export interface Failing {
  readonly code: FailureCode;
  readonly message: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Successful outcome: returns the output data that the test planned for a call. */
export interface Replying {
  readonly data: (call: FakeCall<unknown>) => unknown;
}

/** Outcome of a call that the test planned: a failure, or data. */
export type Outcome = Failing | Replying;

/** Fake tool, with the outcomes that the test plans. */
export interface PlannedTool {
  /** Name of the fake in errors of the test, such as `fake.calendar.createEvent`. */
  readonly label: string;
  readonly fake: FakeTool<unknown, unknown>;
  readonly calls: FakeCall<unknown>[];
  /** Returns the planned outcome of the next call. Undefined if the test planned none. */
  readonly next: () => Outcome | undefined;
}

/**
 * Creates a fake tool. `check` validates a planned reply, converts it to JSON data, and throws if the reply is wrong.
 */
export function createFakeTool(label: string, check: (data: unknown) => unknown): PlannedTool {
  const calls: FakeCall<unknown>[] = [];
  const waiting: Outcome[] = [];
  let current: Outcome | undefined;
  const plan = (outcome: Outcome): FakeTool<unknown, unknown> => {
    waiting.push(outcome);
    return fake;
  };
  const toReply = (data: unknown): Replying['data'] => {
    if (typeof data === 'function') return (call) => data(call.input, call);
    const checked = check(data);
    return () => checked;
  };
  const fake: FakeTool<unknown, unknown> = {
    calls,
    replies: (data) => plan({ data: toReply(data) }),
    fails: (code, ...[given = {}]) => {
      if (!Object.hasOwn(FAILURE_STATUS, code))
        throw new TypeError(
          `${label} cannot fail with "${code}", because the service has no such code. Use a code of FailureCode.`,
        );
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
