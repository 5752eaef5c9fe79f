import { useState } from 'preact/hooks';
import type { Connector } from '../../api/catalogue.ts';
import { Dialog } from '../../parts/dialog.tsx';
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

interface LinkDialogProps extends RenewProps {
  readonly onClose: () => void;
  readonly status: AccountStatus;
}

function LinkDialog({ place, status, onRenewed, onClose }: LinkDialogProps) {
  const [link, setLink] = useState<Link>();
  const [replace, setReplace] = useState(false);
  return (
    <Dialog title={`A link for “${place.identifier}”`} onClose={onClose}>
      {link ? (
        <AuthorizationLink place={place} link={link} onApproved={onRenewed} onClose={onRenewed} />
      ) : (
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
      )}
    </Dialog>
  );
}

/** Leads the user to approve, for the first time or again. */
export function RenewByLink({ status, ...props }: RenewProps & { readonly status: AccountStatus }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const renewed = () => {
    close();
    props.onRenewed();
  };
  return (
    <>
      <button
        type="button"
        class={status === 'authorized' ? undefined : 'primary'}
        onClick={() => setOpen(true)}
      >
        New link
      </button>
      {isOpen && <LinkDialog place={props.place} status={status} onRenewed={renewed} onClose={close} />}
    </>
  );
}

interface RenewByKeyProps extends RenewProps {
  readonly connector: Connector;
  readonly baseUrl: string | null;
  /** Whether there is a key already. */
  readonly hasKey: boolean;
}

/** Takes a new key or token, or further credentials. */
export function RenewByKey({ place, connector, baseUrl, hasKey, onRenewed }: RenewByKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(NO_SECRETS);
  const word = keyWord(connector.authType);
  const close = () => {
    setOpen(false);
    setTyped(NO_SECRETS);
  };
  const save = async () => {
    await giveSecrets(place, secretsOf(connector.authType, typed));
    say('The account has it now.');
    close();
    onRenewed();
  };
  return (
    <>
      <button type="button" class={hasKey ? undefined : 'primary'} onClick={() => setOpen(true)}>
        {hasKey ? `Replace the ${word}` : `Give the ${word}`}
      </button>
      {isOpen && (
        <Dialog title={`The ${word} of “${place.identifier}”`} onClose={close}>
          <Form submit="Save" onSubmit={save} onCancel={close}>
            {hasKey && <p>What you leave empty stays as it is.</p>}
            <SecretFields
              connector={connector}
              typed={typed}
              onTyped={setTyped}
              baseUrl={baseUrl}
              isKeyNeeded={!hasKey || connector.credentials.length === 0}
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}
