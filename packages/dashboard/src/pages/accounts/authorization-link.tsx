import { useEffect, useState } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { Copied } from '../../parts/copy.tsx';
import { Notice } from '../../parts/notice.tsx';

const BY_NAME =
  '/operator/v1/applications/{applicationId}/connections/{connectionName}/accounts/{identifier}';

/** An account by its identifier. */
export interface AccountPlace {
  readonly applicationId: string;
  readonly connectionName: string;
  readonly identifier: string;
}

type Account = Answer<`GET ${typeof BY_NAME}`>;
export type Link = Answer<`POST ${typeof BY_NAME}/authorization-link`>;

export const makeLink = (place: AccountPlace, replace = false): Promise<Link> =>
  call(`POST ${BY_NAME}/authorization-link`, { path: { ...place }, body: { replace } });

const ASKED_EACH_MS = 2000;

const hasChanged = (before: Account, now: Account): boolean =>
  now.status === 'authorized' && (before.status !== 'authorized' || now.updatedAt !== before.updatedAt);

/** Waits until the user has approved by the new link, and returns the account. */
function useApproval(place: AccountPlace): Account | undefined {
  const [approved, setApproved] = useState<Account>();
  useEffect(() => {
    const aborter = new AbortController();
    let before: Account | undefined;
    const ask = async () => {
      if (document.hidden && before !== undefined) return;
      const now = await call(`GET ${BY_NAME}`, { path: { ...place } }, { signal: aborter.signal });
      before ??= now;
      if (!hasChanged(before, now)) return;
      clearInterval(timer);
      setApproved(now);
    };
    // The link works without this request, and the next attempt may succeed.
    const tryAsking = () => ask().catch(() => undefined);
    const timer = setInterval(tryAsking, ASKED_EACH_MS);
    document.addEventListener('visibilitychange', tryAsking);
    void tryAsking();
    return () => {
      aborter.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tryAsking);
    };
  }, [place.applicationId, place.connectionName, place.identifier]);
  return approved;
}

interface AuthorizationLinkProps {
  readonly place: AccountPlace;
  readonly link: Link;
  readonly onApproved: (accountId: string) => void;
  readonly onClose: () => void;
}

/** A link to send or to open, and whether its user has approved. */
export function AuthorizationLink({ place, link, onApproved, onClose }: AuthorizationLinkProps) {
  const approved = useApproval(place);
  return (
    <div class="stack">
      <p>
        Whoever opens this link and approves is connected as <strong>{place.identifier}</strong>. It works
        once, for 30 minutes.
      </p>
      <Copied text={link.link} what="the link" />
      <div role="status">
        {approved ? (
          <Notice tone="good">The user has approved, and the account is connected.</Notice>
        ) : (
          <p class="soft">Waiting for the approval. You may close this; the link works all the same.</p>
        )}
      </div>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {approved ? (
          <button type="button" class="primary" onClick={() => onApproved(approved.id)}>
            Show the account
          </button>
        ) : (
          <a class="button primary" href={link.link} target="_blank" rel="noreferrer">
            Open the link
          </a>
        )}
      </div>
    </div>
  );
}
