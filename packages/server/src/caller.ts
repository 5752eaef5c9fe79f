import { AsyncLocalStorage } from 'node:async_hooks';

/** Who asks for what is going on: what the audit log says of a change. */
export interface Caller {
  /** An application's id, `token:<id>` for whoever holds a token of it, `operator:<name>`, `command`, `user` for a browser, or `service` where nobody asked. */
  readonly actor: string;
  /** The application that asks; `null` where somebody else does. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** Where the request came from. */
  readonly address: string | null;
}

export type CurrentCaller = () => Caller;

const SERVICE: Caller = { actor: 'service', applicationId: null, requestId: null, address: null };

/** Follows the caller through everything that its request leads to, so that no function has to pass it on. */
export function createCallers() {
  const callers = new AsyncLocalStorage<CurrentCaller>();
  return {
    current: (): Caller => callers.getStore()?.() ?? SERVICE,
    run: <T>(caller: CurrentCaller, work: () => T): T => callers.run(caller, work),
  };
}

export type Callers = ReturnType<typeof createCallers>;
