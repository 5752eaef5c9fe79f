import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { call, type OperationName, type RequestOf, type ResponseOf } from '../api/call.ts';
import { ErrorNotice } from './notice.tsx';

/** State of a value that is loaded from the service. `value` remains while a reload is running, and if it fails. */
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
      (error: unknown) =>
        !aborter.signal.aborted && setState((before) => ({ ...before, error, isLoading: false })),
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

/**
 * Shows a loaded value. An error is shown with a retry button, above the value that was loaded before, so that a failed
 * reload loses no input.
 */
export function Show<Value>({ of, children }: ShowProps<Value>) {
  const error = of.error !== undefined && <ErrorNotice error={of.error} retry={of.reload} />;
  if (of.value === undefined && error) return error;
  if (of.value === undefined) return <div class="waiting" role="status" aria-label="Loading" />;
  return (
    <>
      {error}
      {children(of.value)}
    </>
  );
}

/** Interval in milliseconds between two reloads of a value that can change at any time. */
export const LIVE_MS = 3000;

/**
 * Calls `work` once after `ms` milliseconds, and each time the page becomes visible, but never while it is hidden.
 * Returns a function that stops the calls.
 */
function whenVisible(ms: number, work: () => void): () => void {
  const workIfVisible = () => {
    if (document.visibilityState === 'visible') work();
  };
  const timer = setTimeout(workIfVisible, ms);
  document.addEventListener('visibilitychange', workIfVisible);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', workIfVisible);
  };
}

interface Live<Value> {
  /** Value that was loaded last. It stays available if a reload fails. */
  readonly value: Value;
  /** Error of the last reload. `undefined` if the reload succeeded. */
  readonly error: unknown;
}

/** Keeps a loaded value up to date while the page is visible. A new `initial` value replaces the loaded one. */
export function useLive<Value>(initial: Value, load: (signal: AbortSignal) => Promise<Value>): Live<Value> {
  const [live, setLive] = useState({ initial, value: initial, error: undefined as unknown, loads: 0 });
  const current = live.initial === initial ? live : { initial, value: initial, error: undefined, loads: 0 };
  useEffect(() => {
    const aborter = new AbortController();
    const reload = () =>
      load(aborter.signal).then(
        (value) =>
          !aborter.signal.aborted && setLive({ initial, value, error: undefined, loads: current.loads + 1 }),
        (error: unknown) =>
          !aborter.signal.aborted && setLive({ ...current, error, loads: current.loads + 1 }),
      );
    const stop = whenVisible(LIVE_MS, () => void reload());
    return () => {
      stop();
      aborter.abort();
    };
  }, [initial, current.loads]);
  return current;
}

const FAILURE_BACKOFF = 10;

/** Reloads a value regularly while the page is visible. */
export function useRefresh<Value>(
  { isLoading, error, reload }: Loaded<Value>,
  intervalMs: number | undefined,
): void {
  useEffect(() => {
    if (intervalMs === undefined || isLoading) return undefined;
    return whenVisible(error === undefined ? intervalMs : intervalMs * FAILURE_BACKOFF, reload);
  }, [intervalMs, isLoading, reload]);
}
