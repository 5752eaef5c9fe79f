import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { CheckField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { say } from '../../parts/toast.tsx';
import { useWrong } from '../../parts/use-wrong.ts';
import { type Access, keepsSecret, type Typed, typedOf, type Way, wishOf } from './access.ts';
import { Limits } from './limits.tsx';
import { OPEN_ID_FIELDS, OpenIdFields } from './open-id-fields.tsx';
import { RemoveAccess } from './remove-access.tsx';
import { WAYS } from './words.ts';

const PUT = 'PUT /operator/v1/applications/{applicationId}/agent-access';
const FIELDS = ['signInUrl', ...OPEN_ID_FIELDS] as const;

interface SignInPlaceProps {
  readonly applicationId: string;
  /** `null` where nobody can sign in yet. */
  readonly access: Access | null;
  readonly onChange: () => void;
}

interface WayFieldProps {
  readonly way: Way;
  readonly onWay: (way: Way) => void;
}

const WayField = ({ way, onWay }: WayFieldProps) => (
  <fieldset class="field">
    <legend>Who signs users in</legend>
    <div>
      {WAYS.map(({ value, title, means }) => (
        <label class="check" key={value}>
          <input type="radio" name="way" checked={value === way} onChange={() => onWay(value)} />
          <span>
            {title}: <span class="soft">{means}</span>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

interface SignInUrlFieldProps {
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onValue: (value: string) => void;
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
    autoComplete="off"
    spellcheck={false}
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
      <WayField way={typed.way} onWay={(way) => onChange({ way })} />
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

/** Where users sign in to give MCP clients access: said, changed, and taken away. */
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
