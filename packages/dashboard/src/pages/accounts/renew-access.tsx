import { useState } from 'preact/hooks';
import type { Connector } from '../../api/catalogue.ts';
import { DialogButton } from '../../parts/dialog.tsx';
import { CheckField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { type AccountStatus, keyWord } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import { type AccountPath, AuthorizationLink, createLink, type Link } from './authorization-link.tsx';
import { SecretFields } from './secret-fields.tsx';
import { NO_SECRETS, saveSecrets, secretsOf } from './secrets.ts';

interface RenewProps {
  readonly path: AccountPath;
  readonly onRenewed: () => void;
}

interface RenewByLinkProps extends RenewProps {
  readonly status: AccountStatus;
}

interface OnClose {
  readonly onClose: () => void;
}

function LinkForm({ path, status, onRenewed, onClose }: RenewByLinkProps & OnClose) {
  const [link, setLink] = useState<Link>();
  const draft = useDraft({ form: 'link', initial: { replace: false } });
  const { replace } = draft.value;
  const create = async () => {
    setLink(await createLink(path, replace));
    draft.reset();
  };
  if (link) return <AuthorizationLink path={path} link={link} onConnected={onRenewed} onClose={onRenewed} />;
  return (
    <Form submit="Create link" onSubmit={create} onCancel={onClose}>
      <p>
        The user opens the link and gives consent at the upstream. The account does not change until the user
        gives consent.
      </p>
      {status !== 'unauthorized' && (
        <CheckField
          label="Allow a different upstream user"
          hint="Without this option, only the upstream user who gave consent before can give consent again."
          checked={replace}
          onValue={(next) => draft.change({ replace: next })}
        />
      )}
    </Form>
  );
}

export function RenewByLink({ path, status, onRenewed }: RenewByLinkProps) {
  const renewed = (close: () => void) => {
    close();
    onRenewed();
  };
  return (
    <DialogButton
      label="Create new link"
      class={status === 'authorized' ? undefined : 'primary'}
      title={`New authorization link for “${userOf(path)}”`}
    >
      {(close) => <LinkForm path={path} status={status} onRenewed={() => renewed(close)} onClose={close} />}
    </DialogButton>
  );
}

interface RenewByKeyProps extends RenewProps {
  readonly connector: Connector;
  readonly baseUrl: string | null;
  readonly hasKey: boolean;
}

function KeyForm({ path, connector, baseUrl, hasKey, onRenewed, onClose }: RenewByKeyProps & OnClose) {
  const draft = useDraft({ form: 'key', initial: NO_SECRETS, secrets: ['key', 'credentials'] });
  const save = async () => {
    await saveSecrets(path, secretsOf(connector.authType, draft.value));
    showToast('Credentials saved.');
    onClose();
    onRenewed();
  };
  return (
    <Form submit="Save" onSubmit={save} onCancel={onClose}>
      {hasKey && <p>Leave a field empty to keep the stored value.</p>}
      <SecretFields
        connector={connector}
        typed={draft.value}
        onTyped={draft.change}
        baseUrl={baseUrl}
        isKeyNeeded={!hasKey || connector.credentials.length === 0}
      />
    </Form>
  );
}

/**
 * Shows the button and the dialog that replace the account's key or token, or its secondary credentials (other secrets
 * that the connector needs).
 */
export function RenewByKey(props: RenewByKeyProps) {
  const { path, connector, hasKey } = props;
  const word = keyWord(connector.authType);
  return (
    <DialogButton
      label={hasKey ? `Replace ${word}` : `Add ${word}`}
      class={hasKey ? undefined : 'primary'}
      title={`${word === 'token' ? 'Token' : word} of “${userOf(path)}”`}
    >
      {(close) => <KeyForm {...props} onClose={close} />}
    </DialogButton>
  );
}
