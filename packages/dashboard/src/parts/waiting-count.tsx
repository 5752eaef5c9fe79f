import { useEffect } from 'preact/hooks';
import { loadProblems } from '../api/problems.ts';
import { waitingApprovalsOf } from '../api/waiting-approvals.ts';
import { grouped } from '../words/numbers.ts';

const REFRESH_MS = 15_000;

/** Badge in the navigation with the number of calls that wait for approval. Keeps the number up to date. */
export function WaitingCount({ applicationId }: { readonly applicationId: string | undefined }) {
  useEffect(() => {
    if (applicationId === undefined) return undefined;
    const aborter = new AbortController();
    const refresh = () => {
      if (document.visibilityState === 'visible')
        // Keeps the displayed number if this request fails. The open page shows the failures of its own requests.
        loadProblems(applicationId, aborter.signal).catch(() => undefined);
    };
    if (waitingApprovalsOf(applicationId) === undefined) refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      clearInterval(timer);
      aborter.abort();
    };
  }, [applicationId]);
  const count = waitingApprovalsOf(applicationId) ?? 0;
  if (count === 0) return null;
  return (
    <span class="badge warn">
      {grouped(count)}
      <span class="hidden"> waiting</span>
    </span>
  );
}
