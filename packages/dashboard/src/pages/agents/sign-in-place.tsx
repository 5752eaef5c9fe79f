import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { type Changeable, CheckField, PLAIN, RadioField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { say } from '../../parts/toast.tsx';
import { useWrong } from '../../parts/use-wrong.ts';
import { limitsInWords } from '../application/limits-in-words.ts';
import { type Access, keepsSecret, type Typed, typedOf, wishOf } from './access.ts';
import { OPEN_ID_FIELDS, OpenIdFields } from './open-id-fields.tsx';
import { WAYS } from './words.ts';

const PUT = 'PUT /operator/v1/applications/{applicationId}/agent-access';
const FIELDS = ['signInUrl', ...OPEN_ID_FIELDS] as const;

interface SignInPlaceProps {
  readonly applicationId: string;
  /** `null` where nobody can sign in yet. */
  readonly access: Access | null;
  readonly onChange: () => void;
}

interface SignInUrlFieldProps extends Changeable {
  readonly wrong: string | undefined;
}

const SignInUrlField = (props: SignInUrlFieldProps) => (
  <TextField
    {...props}
    label="Sign-in URL"
    type="url"
    hint={
      <>
        The browser comes there with <code>sign_in_ticket</code>. Your page makes sure who is signed in, and
        your server says so by <code>POST /v1/agent-sign-ins</code>.
      </>
    }
    placeholder="https://app.example.com/agent-sign-in"
    required
    maxLength={2048}
    {...PLAIN}
  />
);

interface FieldsProps extends Pick<SignInPlaceProps, 'applicationId' | 'access'> {
  readonly typed: Typed;
  readonly onChange: (change: Partial<Typed>) => void;
  readonly wrong: Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;
}

const Fields = ({ access, wrong, ...fields }: FieldsProps) => {
  const { typed, onChange } = fields;
  return (
    <>
      <RadioField
        label="Who signs users in"
        name="way"
        value={typed.way}
        choices={WAYS}
        onValue={(way) => onChange({ way })}
      />
      {typed.way === 'openId' ? (
        <OpenIdFields {...fields} wrong={wrong} isSecretStored={keepsSecret(typed, access)} />
      ) : (
        <SignInUrlField
          value={typed.signInUrl}
          wrong={wrong.signInUrl}
          onValue={(signInUrl) => onChange({ signInUrl })}
        />
      )}
      {typed.way === 'signInUrl' && access?.openId && (
        <Notice tone="warn">Saving this forgets the issuer, with the client secret that it gave.</Notice>
      )}
      <CheckField
        label="Clients may register themselves"
        hint="Any program can then ask your users for access; each reads its name on a page of this service, and decides."
        checked={typed.registration}
        onValue={(registration) => onChange({ registration })}
      />
    </>
  );
};

/** The settings of the sign-in that gives MCP clients access. */
export function SignInPlace({ applicationId, access, onChange }: SignInPlaceProps) {
  const [typed, setTyped] = useState(() => typedOf(access));
  const { wrong, send } = useWrong(FIELDS);
  const become = (next: Access | null) => {
    setTyped(typedOf(next));
    onChange();
  };
  const save = async () => {
    const given = { path: { applicationId }, body: wishOf(typed, access) };
    if (!(await send(async () => become(await call(PUT, given))))) return;
    say('It is saved where users sign in.');
  };
  return (
    <section class="panel">
      <h2>Where users sign in</h2>
      {access === null && (
        <Notice tone="warn">Nobody can sign in for an MCP client yet. Say first where your users do.</Notice>
      )}
      <Form submit={access === null ? 'Let users sign in' : 'Save'} onSubmit={save}>
        <Fields
          {...{ applicationId, access, typed, wrong }}
          onChange={(change) => setTyped((all) => ({ ...all, ...change }))}
        />
      </Form>
      {access && <Limits limits={access.limits} />}
      {access && <RemoveAccess applicationId={applicationId} onRemoved={() => become(null)} />}
    </section>
  );
}

/** The limits of every client. */
const Limits = ({ limits }: Pick<Access, 'limits'>) => (
  <p class="soft">
    Limits that hold whatever a user agrees to: <strong>{limitsInWords(limits)}</strong>. Your application
    sets them by <code>PUT /v1/agent-access</code>; saving here leaves them as they are.
  </p>
);

/** The settings of the sign-in for operators with read-only access. */
export const AccessFacts = ({ access }: { readonly access: Access | null }) => (
  <section class="panel">
    <h2>Where users sign in</h2>
    {access === null ? (
      <p>Nobody can sign in for an MCP client yet. An operator says first where your users do.</p>
    ) : (
      <Facts access={access} />
    )}
  </section>
);

const Facts = ({ access: { signInUrl, openId, limits } }: { readonly access: Access }) => {
  const way = WAYS.find(({ value }) => value === (openId ? 'openId' : 'signInUrl'));
  return (
    <>
      <dl class="facts">
        <Fact title="Who signs users in">
          {way?.title}: <span class="soft">{way?.means}</span>
        </Fact>
        {openId ? (
          <>
            <Fact title="Issuer">{openId.issuer}</Fact>
            <Fact title="Client ID">{openId.clientId}</Fact>
            <Fact title="Client secret">{openId.hasClientSecret ? 'Stored, encrypted' : 'None'}</Fact>
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
    say('Nobody can sign in for MCP clients any more.');
    onRemoved();
  };
  return (
    <Confirm action="Remove" question="Let nobody sign in for MCP clients any more?" onConfirm={remove}>
      <p>
        The address stops leading to a sign-in, and clients get no new tokens: what they have ends within ten
        minutes. What is set here is deleted, an issuer’s client secret and the limits too.
      </p>
      <p>
        The clients stay, and so does what users gave them: it counts again once you say anew where users sign
        in. Revoke below what is to end for good.
      </p>
    </Confirm>
  );
}
