import { AsyncLocalStorage } from 'node:async_hooks';

/** The cause of a change, for the audit log. */
export interface Caller {
  /** Id of an application, `token:<id>` for a bearer of its token, `operator:<name>`, `command`, `user` for a browser, or `service`. */
  readonly actor: string;
  /** Id of the calling application; `null` for any other actor. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** Address of the client. */
  readonly address: string | null;
}

export type CurrentCaller = () => Caller;

const SERVICE: Caller = { actor: 'service', applicationId: null, requestId: null, address: null };

/** Keeps the caller of a request in an async context, so that no function has to pass it on. */
export function createCallers() {
  const callers = new AsyncLocalStorage<CurrentCaller>();
  return {
    current: (): Caller => callers.getStore()?.() ?? SERVICE,
    run: <T>(caller: CurrentCaller, work: () => T): T => callers.run(caller, work),
  };
}

export type Callers = ReturnType<typeof createCallers>;
