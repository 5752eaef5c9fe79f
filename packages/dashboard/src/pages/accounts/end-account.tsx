import { useLocation } from 'preact-iso';
import { type Answer, call } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { keyWord, takesKey } from '../../words/states.ts';

export type Account = Answer<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;

interface EndProps {
  readonly applicationId: string;
  readonly account: Account;
  /** Absent when it has left the catalogue. */
  readonly connector: Connector | undefined;
}

interface RevokeProps extends EndProps {
  readonly onRevoked: () => void;
}

type Revoked = Answer<'POST /operator/v1/applications/{applicationId}/accounts/{id}/revoke'>;

const upstreamOf = ({ connector, account }: EndProps): string => connector?.title ?? account.connector;

/** The outcome of the revocation at the upstream, in a sentence. */
function outcomeWords({ upstream: outcome }: Revoked, upstream: string): string {
  if (outcome === 'revoked') return `The access is ended, at ${upstream} too.`;
  if (outcome === 'failed')
    return `The access is ended here. ${upstream} did not confirm it: end it there too.`;
  return 'The access is ended here.';
}

/** The consequence at the upstream, for revoking and deleting. */
function UpstreamFate(props: EndProps) {
  const upstream = upstreamOf(props);
  const authType = props.connector?.authType ?? null;
  return takesKey(authType) ? (
    <p>
      The {keyWord(authType)} is deleted here. It lives on at {upstream}: end it there too.
    </p>
  ) : (
    <p>The access is ended at {upstream} where that is possible, and its tokens are deleted here.</p>
  );
}

function Revoke(props: RevokeProps) {
  const { applicationId, account, connector, onRevoked } = props;
  const revoke = async () => {
    const revoked = await call('POST /operator/v1/applications/{applicationId}/accounts/{id}/revoke', {
      path: { applicationId, id: account.id },
    });
    say(outcomeWords(revoked, upstreamOf(props)));
    onRevoked();
  };
  return (
    <Confirm
      action="Revoke access"
      question={`Revoke the access of “${account.identifier}”?`}
      onConfirm={revoke}
    >
      <UpstreamFate {...props} />
      <p>
        Calls in the name of this user fail from then on, and links that were made before lead nowhere. The
        account stays, with its id and its calls:{' '}
        {takesKey(connector?.authType ?? null)
          ? `a new ${keyWord(connector?.authType ?? null)} connects it again.`
          : 'a new link connects it again.'}
      </p>
    </Confirm>
  );
}

function Delete(props: EndProps) {
  const { applicationId, account } = props;
  const { route } = useLocation();
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/accounts/{id}', {
      path: { applicationId, id: account.id },
    });
    say(`The account of “${account.identifier}” is deleted.`);
    route(hrefOf(PATHS.accounts, { applicationId }));
  };
  return (
    <Confirm
      action="Delete account"
      question={`Delete the account of “${account.identifier}”?`}
      onConfirm={remove}
    >
      <UpstreamFate {...props} />
      <p>The account is gone with its id: a user who connects again gets another one.</p>
    </Confirm>
  );
}

/** Revokes the account's access, or deletes the account. */
export function EndAccount(props: RevokeProps) {
  const { status } = props.account;
  const mayBeUsed = status === 'authorized' || status === 'pending_verification';
  return (
    <section class="panel" aria-labelledby="end">
      <h2 id="end">End the access</h2>
      <p>
        {mayBeUsed
          ? 'Revoking ends what may be done in the name of this user, and keeps the account. Deleting ends both.'
          : 'Nothing can be done in the name of this user now. Deleting removes the account itself.'}
      </p>
      <div class="row">
        {mayBeUsed && <Revoke {...props} />}
        <Delete {...props} />
      </div>
    </section>
  );
}
