import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call, type ResponseOf } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { showToast } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { keyWord, takesKey } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';

export type Account = ResponseOf<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;

interface EndProps {
  readonly applicationId: string;
  readonly account: Account;
  /** Connector of the connected account. `undefined` if the connector was removed from the catalogue. */
  readonly connector: Connector | undefined;
}

interface EndAccountProps extends EndProps {
  readonly onRevoked: () => void;
}

interface RevokeProps extends EndProps {
  readonly onRevoked: (revoked: Revoked) => void;
}

type Revoked = ResponseOf<'POST /operator/v1/applications/{applicationId}/accounts/{id}/revoke'>;

const upstreamOf = ({ connector, account }: EndProps): string => connector?.title ?? account.connector;

const notConfirmed = (upstream: string): string =>
  `The service deleted the stored credentials, but ${upstream} did not confirm the revocation. Revoke the access at ${upstream} too.`;

/** Explains what a revocation or deletion changes at the upstream. */
function UpstreamEffect(props: EndProps) {
  const upstream = upstreamOf(props);
  const authType = props.connector?.authType ?? null;
  return takesKey(authType) ? (
    <p>
      The service deletes the stored {keyWord(authType)}, which stays valid at {upstream} until you revoke it
      there.
    </p>
  ) : (
    <p>
      The service deletes the tokens. If {upstream} supports revocation, the service also revokes them there.
    </p>
  );
}

function Revoke(props: RevokeProps) {
  const { applicationId, account, connector, onRevoked } = props;
  const authType = connector?.authType ?? null;
  const revoke = async () => {
    const path = { applicationId, id: account.id };
    onRevoked(await call('POST /operator/v1/applications/{applicationId}/accounts/{id}/revoke', { path }));
  };
  return (
    <Confirm
      action="Revoke access"
      question={`Revoke access to the account “${userOf(account)}”?`}
      onConfirm={revoke}
    >
      <UpstreamEffect {...props} />
      <p>
        Calls for this account then fail, and existing links for the account stop working. The service keeps
        the account ID and the recorded calls. To connect the account again,{' '}
        {takesKey(authType) ? `enter a new ${keyWord(authType)}` : 'send a new link'}.
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
    showToast(`Account “${userOf(account)}” deleted.`);
    route(hrefOf(PATHS.accounts, { applicationId }));
  };
  return (
    <Confirm action="Delete account" question={`Delete account “${userOf(account)}”?`} onConfirm={remove}>
      <UpstreamEffect {...props} />
      <p>
        The service deletes the account and its ID. If the user connects again, the new account gets a new ID.
      </p>
    </Confirm>
  );
}

export function EndAccount(props: EndAccountProps) {
  const { status } = props.account;
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const upstream = upstreamOf(props);
  const end = ({ upstream: outcome }: Revoked) => {
    setUnconfirmed(outcome === 'failed');
    if (outcome === 'revoked') showToast(`Access revoked in this service and at ${upstream}.`);
    else if (outcome !== 'failed') showToast('The service deleted the stored credentials.');
    props.onRevoked();
  };
  const mayBeUsed = status === 'authorized' || status === 'pending_verification';
  return (
    <section class="panel" aria-labelledby="end">
      <h2 id="end">Revoke or delete</h2>
      <p>
        {mayBeUsed
          ? '“Revoke access” ends the access but keeps the account. “Delete account” ends the access and deletes the account.'
          : 'The service has no access to this account at the moment. To remove the account itself, select “Delete account”.'}
      </p>
      {isUnconfirmed && <Notice tone="bad">{notConfirmed(upstream)}</Notice>}
      <div class="row">
        {mayBeUsed && <Revoke {...props} onRevoked={end} />}
        <Delete {...props} />
      </div>
    </section>
  );
}
