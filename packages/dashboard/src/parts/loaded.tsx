import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { type Answer, call, type Given, type OperationName } from '../api/call.ts';
import { ErrorNotice } from './notice.tsx';

/** A value that is being loaded. `value` is the last one until the next one arrives. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads it anew; what is shown stays until then. */
  readonly reload: () => void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

/** Loads what `key` names: another key is something else, and nothing of the old one is shown then. */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key, isLoading: true });
  const [turn, setTurn] = useState(0);
  // Before the frame is painted: what is asked for now is on its way meanwhile.
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

/** After a failure it is tried so much less often. */
const SLOWER = 10;

/** Loads something anew so often, counted from when it was there, while somebody looks at the page. */
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
