import { call } from '../../api/call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { type Changeable, CheckField, PLAIN, RadioField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { useFieldErrors } from '../../parts/use-field-errors.ts';
import { limitsInWords } from '../application/limits-in-words.ts';
import { type Access, reusesSecret, settingsOf, type Typed, typedOf } from './access.ts';
import { OPEN_ID_FIELDS, OpenIdFields } from './open-id-fields.tsx';
import { SIGN_IN_METHODS } from './words.ts';

const PUT = 'PUT /operator/v1/applications/{applicationId}/agent-access';
const LABELS = {
  method: 'Sign-in method',
  signInUrl: 'Sign-in URL',
  issuer: 'Issuer',
  clientId: 'Client ID',
  claim: 'Claim',
  scopes: 'Scopes',
  registration: 'Allow clients to register themselves',
};
const FIELDS = ['signInUrl', ...OPEN_ID_FIELDS] as const;

interface SignInSettingsProps {
  readonly applicationId: string;
  /** Current sign-in settings. `null` if the user sign-in is not set up. */
  readonly access: Access | null;
  /** Version of the stored settings. Saving fails if somebody else has changed the settings since this version. */
  readonly etag: string;
  readonly onChange: () => void;
}

const SignInUrlField = (props: Changeable & { readonly wrong: string | undefined }) => (
  <TextField
    {...props}
    label="Sign-in URL"
    type="url"
    hint="When a user signs in, the browser opens this URL with a ticket. Your page checks who is signed in. Your server then reports the ticket and the user’s identifier to this service."
    placeholder="https://app.example.com/agent-sign-in"
    required
    maxLength={2048}
    {...PLAIN}
  />
);

interface FieldsProps extends Pick<SignInSettingsProps, 'applicationId' | 'access'> {
  readonly typed: Typed;
  readonly onChange: (change: Partial<Typed>) => void;
  readonly wrong: Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;
}

const Fields = ({ access, wrong, ...fields }: FieldsProps) => {
  const { typed, onChange } = fields;
  return (
    <>
      <RadioField
        label="Sign-in method"
        name="method"
        value={typed.method}
        choices={SIGN_IN_METHODS}
        onValue={(method) => onChange({ method })}
      />
      {typed.method === 'openId' ? (
        <OpenIdFields {...fields} wrong={wrong} isSecretStored={reusesSecret(typed, access)} />
      ) : (
        <SignInUrlField
          value={typed.signInUrl}
          wrong={wrong.signInUrl}
          onValue={(signInUrl) => onChange({ signInUrl })}
        />
      )}
      {typed.method === 'signInUrl' && access?.openId && (
        <Notice tone="warn">If you save, the service deletes the stored issuer and its client secret.</Notice>
      )}
      <CheckField
        label="Allow clients to register themselves"
        hint="With this option, any program can ask your users for access. Each user sees the name of the program and decides."
        checked={typed.registration}
        onValue={(registration) => onChange({ registration })}
      />
    </>
  );
};

/** Shows the settings of the sign-in by which users grant access to MCP clients. */
export function SignInSettings({ applicationId, access, etag, onChange }: SignInSettingsProps) {
  const draft = useDraft({ form: 'sign-in', initial: typedOf(access), secrets: ['clientSecret'] });
  const typed = draft.value;
  const { wrong, send } = useFieldErrors(FIELDS);
  const apply = (next: Access | null) => {
    draft.reset(typedOf(next));
    onChange();
  };
  const save = async () => {
    const request = { path: { applicationId }, body: settingsOf(typed, access) };
    if (await send(async () => apply(await call(PUT, request, { ifMatch: etag }))))
      showToast('Sign-in settings saved.');
  };
  return (
    <section class="panel">
      <h2>User sign-in</h2>
      {access === null && (
        <Notice tone="warn">Users cannot sign in through MCP clients yet. Set up user sign-in first.</Notice>
      )}
      <Form
        submit={access === null ? 'Enable sign-in' : 'Save'}
        onSubmit={save}
        edit={{ compared: { draft, labels: LABELS }, onReload: onChange }}
      >
        <Fields {...{ applicationId, access, typed, wrong }} onChange={draft.change} />
      </Form>
      {access && <Limits limits={access.limits} />}
      {access && <RemoveAccess applicationId={applicationId} onRemoved={() => apply(null)} />}
    </section>
  );
}

const Limits = ({ limits }: Pick<Access, 'limits'>) => (
  <p class="soft">
    Limits for all clients: <strong>{limitsInWords(limits)}</strong>. These limits apply in addition to each
    user’s consent. Your application sets the limits through the API.
  </p>
);

/** Shows the sign-in settings as text, for operators with read-only access. */
export const AccessFacts = ({ access }: { readonly access: Access | null }) => (
  <section class="panel">
    <h2>User sign-in</h2>
    {access === null ? (
      <p>Users cannot sign in through MCP clients yet. Ask an operator or owner to set up user sign-in.</p>
    ) : (
      <Facts access={access} />
    )}
  </section>
);

const Facts = ({ access: { signInUrl, openId, limits } }: { readonly access: Access }) => {
  const method = SIGN_IN_METHODS.find(({ value }) => value === (openId ? 'openId' : 'signInUrl'));
  return (
    <>
      <dl class="facts">
        <Fact title="Sign-in method">
          {method?.title}: <span class="soft">{method?.description}</span>
        </Fact>
        {openId ? (
          <>
            <Fact title="Issuer">{openId.issuer}</Fact>
            <Fact title="Client ID">{openId.clientId}</Fact>
            <Fact title="Client secret">{openId.hasClientSecret ? 'Stored encrypted' : 'None'}</Fact>
            <Fact title="Claim">{openId.claim}</Fact>
            <Fact title="Scopes">{openId.scopes.join(' ')}</Fact>
          </>
        ) : (
          <Fact title="Sign-in URL">{signInUrl}</Fact>
        )}
      </dl>
      <Limits limits={limits} />
    </>
  );
};

interface RemoveAccessProps {
  readonly applicationId: string;
  readonly onRemoved: () => void;
}

function RemoveAccess({ applicationId, onRemoved }: RemoveAccessProps) {
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-access', { path: { applicationId } });
    showToast('Sign-in for MCP clients removed.');
    onRemoved();
  };
  return (
    <Confirm action="Remove sign-in" question="Remove sign-in for MCP clients?" onConfirm={remove}>
      <p>
        Users can no longer sign in for MCP clients, and clients get no new tokens. Existing tokens expire
        within ten minutes. The service deletes the sign-in settings, including the issuer’s client secret and
        the limits.
      </p>
      <p>
        The service keeps the clients and the granted access. Both work again after you set up the user
        sign-in again. To end access permanently, revoke the access under “Granted access”.
      </p>
    </Confirm>
  );
}
