import { useState } from 'preact/hooks';
import type { Connector } from '../../api/catalogue.ts';
import { DialogButton } from '../../parts/dialog.tsx';
import { CheckField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { type AccountStatus, keyWord } from '../../words/states.ts';
import { type AccountPlace, AuthorizationLink, type Link, makeLink } from './authorization-link.tsx';
import { SecretFields } from './secret-fields.tsx';
import { giveSecrets, NO_SECRETS, secretsOf } from './secrets.ts';

interface RenewProps {
  readonly place: AccountPlace;
  readonly onRenewed: () => void;
}

interface RenewByLinkProps extends RenewProps {
  readonly status: AccountStatus;
}

interface OnClose {
  readonly onClose: () => void;
}

function LinkForm({ place, status, onRenewed, onClose }: RenewByLinkProps & OnClose) {
  const [link, setLink] = useState<Link>();
  const [replace, setReplace] = useState(false);
  if (link) return <AuthorizationLink place={place} link={link} onApproved={onRenewed} onClose={onRenewed} />;
  return (
    <Form
      submit="Make the link"
      onSubmit={async () => setLink(await makeLink(place, replace))}
      onCancel={onClose}
    >
      <p>
        The user opens it and approves at the upstream. What the account can do now, it can do until then.
      </p>
      {status !== 'unauthorized' && (
        <CheckField
          label="Somebody else at the upstream may take the place"
          hint="Without this only the one who approved before can approve again."
          checked={replace}
          onValue={setReplace}
        />
      )}
    </Form>
  );
}

/** A button that makes a link for the user's consent. */
export function RenewByLink({ place, status, onRenewed }: RenewByLinkProps) {
  const renewed = (close: () => void) => {
    close();
    onRenewed();
  };
  return (
    <DialogButton
      label="New link"
      class={status === 'authorized' ? undefined : 'primary'}
      title={`A link for “${place.identifier}”`}
    >
      {(close) => <LinkForm place={place} status={status} onRenewed={() => renewed(close)} onClose={close} />}
    </DialogButton>
  );
}

interface RenewByKeyProps extends RenewProps {
  readonly connector: Connector;
  readonly baseUrl: string | null;
  readonly hasKey: boolean;
}

function KeyForm({ place, connector, baseUrl, hasKey, onRenewed, onClose }: RenewByKeyProps & OnClose) {
  const [typed, setTyped] = useState(NO_SECRETS);
  const save = async () => {
    await giveSecrets(place, secretsOf(connector.authType, typed));
    say('The account has it now.');
    onClose();
    onRenewed();
  };
  return (
    <Form submit="Save" onSubmit={save} onCancel={onClose}>
      {hasKey && <p>What you leave empty stays as it is.</p>}
      <SecretFields
        connector={connector}
        typed={typed}
        onTyped={setTyped}
        baseUrl={baseUrl}
        isKeyNeeded={!hasKey || connector.credentials.length === 0}
      />
    </Form>
  );
}

/** A button that takes a new key, token or further credentials. */
export function RenewByKey(props: RenewByKeyProps) {
  const { place, connector, hasKey } = props;
  const word = keyWord(connector.authType);
  return (
    <DialogButton
      label={hasKey ? `Replace the ${word}` : `Give the ${word}`}
      class={hasKey ? undefined : 'primary'}
      title={`The ${word} of “${place.identifier}”`}
    >
      {(close) => <KeyForm {...props} onClose={close} />}
    </DialogButton>
  );
}
