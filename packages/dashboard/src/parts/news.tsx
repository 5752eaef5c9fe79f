import { useEffect, useRef, useState } from 'preact/hooks';

/** So often at most somebody is told who does not see the list. */
const TOLD_EVERY_MS = 10_000;

/** Tells those who do not see a list how many rows have come to it. */
export function News({ keys }: { readonly keys: readonly string[] }) {
  const [said, setSaid] = useState('');
  const told = useRef({ at: Date.now(), keys: new Set(keys) });
  useEffect(() => {
    const now = Date.now();
    if (now - told.current.at < TOLD_EVERY_MS) return;
    const fresh = keys.filter((key) => !told.current.keys.has(key)).length;
    told.current = { at: now, keys: new Set(keys) };
    setSaid(fresh === 0 ? '' : fresh === 1 ? 'One new row' : `${fresh} new rows`);
  }, [keys.join()]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
