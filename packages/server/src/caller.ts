import { AsyncLocalStorage } from 'node:async_hooks';

/** Origin of a change, as recorded in the audit log. */
export interface Caller {
  /**
   * Application id, `token:<id>` for a caller with that access token, `operator:<name>`, `command` for the command
   * line, `user` for a browser, or `service`.
   */
  readonly actor: string;
  /** Id of the calling application. `null` for any other actor. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** IP address of the client. */
  readonly address: string | null;
}

export type CurrentCaller = () => Caller;

const SERVICE: Caller = { actor: 'service', applicationId: null, requestId: null, address: null };

/** Stores the caller of a request in an async context, so that functions need no parameter for it. */
export function createCallers() {
  const callers = new AsyncLocalStorage<CurrentCaller>();
  return {
    current: (): Caller => callers.getStore()?.() ?? SERVICE,
    run: <T>(caller: CurrentCaller, work: () => T): T => callers.run(caller, work),
  };
}

export type Callers = ReturnType<typeof createCallers>;
