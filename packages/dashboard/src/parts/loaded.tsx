import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { call, type OperationName, type RequestOf, type ResponseOf } from '../api/call.ts';
import { ErrorNotice } from './notice.tsx';

/** State of a value that is loaded from the service. `value` remains while a reload is running. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Value> {
  readonly key: string;
  readonly value?: Value;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

/** Loads a value whenever `key` changes. The value of an earlier key is no longer returned. */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key, isLoading: true });
  const [reloads, setReloads] = useState(0);
  // Uses a layout effect, because it runs before the browser paints, so that the request starts earlier.
  useLayoutEffect(() => {
    const aborter = new AbortController();
    setState((before) => ({ ...(before.key === key ? before : { key }), isLoading: true }));
    load(aborter.signal).then(
      (value) => !aborter.signal.aborted && setState({ key, value, isLoading: false }),
      (error: unknown) => !aborter.signal.aborted && setState({ key, error, isLoading: false }),
    );
    return () => aborter.abort();
  }, [key, reloads]);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const current: State<Value> = state.key === key ? state : { key, isLoading: true };
  return { value: current.value, error: current.error, isLoading: current.isLoading, reload };
}

export const useCall = <Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
): Loaded<ResponseOf<Name>> =>
  useLoaded(JSON.stringify([name, request]), (signal) => call(name, request, { signal }));

interface ShowProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows a loaded value, or an error with a retry button. */
export function Show<Value>({ of, children }: ShowProps<Value>) {
  if (of.error !== undefined) return <ErrorNotice error={of.error} retry={of.reload} />;
  if (of.value === undefined) return <div class="waiting" role="status" aria-label="Loading" />;
  return <>{children(of.value)}</>;
}

const FAILURE_BACKOFF = 10;

/** Reloads a value regularly while the page is visible. */
export function useRefresh<Value>(
  { isLoading, error, reload }: Loaded<Value>,
  intervalMs: number | undefined,
): void {
  useEffect(() => {
    if (intervalMs === undefined || isLoading) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setTimeout(
      reloadIfVisible,
      error === undefined ? intervalMs : intervalMs * FAILURE_BACKOFF,
    );
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
    };
  }, [intervalMs, isLoading, reload]);
}
