import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { type Answer, call, type Given, type OperationName } from '../api/call.ts';
import { ErrorNotice } from './notice.tsx';

/** A value that is being loaded. `value` is the last one until the next one arrives. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads the value again; the present value stays until then. */
  readonly reload: () => void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

/** Loads the value that `key` names. Another key hides the value before. */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key, isLoading: true });
  const [turn, setTurn] = useState(0);
  // A layout effect runs before the frame is painted, so the request starts earlier.
  useLayoutEffect(() => {
    const aborter = new AbortController();
    setState((before) => ({ ...(before.key === key ? before : { key }), isLoading: true }));
    load(aborter.signal).then(
      (value) => !aborter.signal.aborted && setState({ key, value, isLoading: false }),
      (error: unknown) => !aborter.signal.aborted && setState({ key, error, isLoading: false }),
    );
    return () => aborter.abort();
  }, [key, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const shown: State<Value> = state.key === key ? state : { key, isLoading: true };
  return { value: shown.value, error: shown.error, isLoading: shown.isLoading, reload };
}

/** Loads the response of an operation. */
export const useCall = <Name extends OperationName>(name: Name, given: Given<Name>): Loaded<Answer<Name>> =>
  useLoaded(JSON.stringify([name, given]), (signal) => call(name, given, { signal }));

interface ShowProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** The loaded value, or the error with a button that tries again. */
export function Show<Value>({ of, children }: ShowProps<Value>) {
  if (of.error !== undefined) return <ErrorNotice error={of.error} retry={of.reload} />;
  if (of.value === undefined) return <div class="waiting" role="status" aria-label="Loading" />;
  return <>{children(of.value)}</>;
}

/** Factor for the interval after a failure. */
const SLOWER = 10;

/** Loads a value again after each interval while the page is visible. */
export function useRefresh<Value>(
  { isLoading, error, reload }: Loaded<Value>,
  everyMs: number | undefined,
): void {
  useEffect(() => {
    if (everyMs === undefined || isLoading) return undefined;
    const reloadIfSeen = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setTimeout(reloadIfSeen, error === undefined ? everyMs : everyMs * SLOWER);
    document.addEventListener('visibilitychange', reloadIfSeen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reloadIfSeen);
    };
  }, [everyMs, isLoading, reload]);
}
