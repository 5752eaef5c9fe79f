import { useEffect } from 'preact/hooks';
import type { Loaded } from './loaded.tsx';

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
