import { useEffect, useState } from 'preact/hooks';
import { call, type ResponseOf } from '../../api/call.ts';
import { Copied } from '../../parts/copy.tsx';
import { Notice } from '../../parts/notice.tsx';
import { type LabelledUser, userOf } from '../../words/user-of.ts';

const GET_ACCOUNT =
  'GET /operator/v1/applications/{applicationId}/connections/{connectionName}/accounts/{identifier}';
const CREATE_LINK =
  'POST /operator/v1/applications/{applicationId}/connections/{connectionName}/accounts/{identifier}/authorization-link';

export interface AccountPath extends LabelledUser {
  readonly applicationId: string;
  readonly connectionName: string;
}

/** Returns the path and the query that name an account in a request. */
export const requestOf = ({ account = '', ...path }: AccountPath) => ({ path, query: { account } });

type Account = ResponseOf<typeof GET_ACCOUNT>;
export type Link = ResponseOf<typeof CREATE_LINK>;

export const createLink = (path: AccountPath, replace = false): Promise<Link> =>
  call(CREATE_LINK, { ...requestOf(path), body: { replace } });

const POLL_INTERVAL_MS = 2000;

/** States of the account when the link was created, and now. */
interface Progress {
  readonly before: Account;
  readonly now: Account;
}

const isConnected = ({ before, now }: Progress): boolean =>
  before.status !== 'authorized' && now.status === 'authorized';

/**
 * Polls the account until the user has given consent through the new link. The link of an account that was already
 * authorized cannot be observed, because such an account also changes when its token is refreshed.
 */
function useProgress(path: AccountPath): Progress | undefined {
  const [progress, setProgress] = useState<Progress>();
  useEffect(() => {
    const aborter = new AbortController();
    let before: Account | undefined;
    const poll = async () => {
      if (document.hidden && before !== undefined) return;
      const now = await call(GET_ACCOUNT, requestOf(path), { signal: aborter.signal });
      before ??= now;
      setProgress({ before, now });
      if (now.status === 'authorized') clearInterval(timer);
    };
    // Ignores failed requests. The authorization link works without the polling, and the next request may succeed.
    const tryPolling = () => poll().catch(() => undefined);
    const timer = setInterval(tryPolling, POLL_INTERVAL_MS);
    document.addEventListener('visibilitychange', tryPolling);
    void tryPolling();
    return () => {
      aborter.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tryPolling);
    };
  }, [path.applicationId, path.connectionName, path.identifier, path.account]);
  return progress;
}

interface ProgressNoticeProps {
  readonly progress: Progress | undefined;
  readonly link: Link;
}

/** Says how far the user has come with the link. */
function ProgressNotice({ progress, link: { expiresAt } }: ProgressNoticeProps) {
  if (progress !== undefined && isConnected(progress))
    return <Notice tone="good">The user gave consent. The account is connected.</Notice>;
  if (progress?.now.status === 'pending_verification')
    return <Notice tone="warn">Someone gave consent. Your application must still confirm the user.</Notice>;
  if (Date.parse(expiresAt) <= Date.now())
    return <Notice tone="warn">The link has expired. Close this dialog, then create a new link.</Notice>;
  if (progress?.before.status === 'authorized')
    return (
      <p class="soft">
        The account stays connected with its present access until the user gives consent. You can close this
        dialog; the link stays valid until it expires.
      </p>
    );
  return (
    <p class="soft">Waiting for consent. You can close this dialog; the link stays valid until it expires.</p>
  );
}

interface AuthorizationLinkProps {
  readonly path: AccountPath;
  readonly link: Link;
  readonly onConnected: (accountId: string) => void;
  readonly onClose: () => void;
}

/** Shows an authorization link for a user. Calls `onConnected` when the user has given consent. */
export function AuthorizationLink({ path, link, onConnected, onClose }: AuthorizationLinkProps) {
  const progress = useProgress(path);
  const connected = progress && isConnected(progress) ? progress.now : undefined;
  return (
    <div class="stack">
      <p>
        Send this link to the user. The person who opens it and gives consent is connected as{' '}
        <strong>{userOf(path)}</strong>. The link works once and expires after 30 minutes.
      </p>
      <Copied text={link.link} what="the link" />
      <div role="status">
        <ProgressNotice progress={progress} link={link} />
      </div>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {connected ? (
          <button type="button" class="primary" onClick={() => onConnected(connected.id)}>
            Show account
          </button>
        ) : (
          <a class="button primary" href={link.link} target="_blank" rel="noreferrer">
            Open link
          </a>
        )}
      </div>
    </div>
  );
}
