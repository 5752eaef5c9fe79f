import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { canUsePasskeys, signInByPasskey } from '../api/passkey.ts';
import { ending, hasNewPasskey, type Session, session } from '../api/session.ts';
import { linkToken } from '../api/sign-in-link.ts';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';

const ENDINGS = {
  'by itself':
    'Your session has ended. That happens after 30 minutes without use, 12 hours after signing in, or when somebody ends it. Sign in again, and you are back where you were.',
  'signed out': 'You are signed out.',
};

/** Starts the session and shows the page of the address. */
function begin(begun: Session): void {
  ending.value = undefined;
  session.value = begun;
}

/** The sign-in page. It keeps the address, which is shown after signing in. */
export function SignIn() {
  const main = useRef<HTMLElement>(null);
  const token = linkToken.value;
  useEffect(() => {
    document.title = 'Sign in · Dashboard';
    main.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [token]);
  return (
    <div class="signed-out">
      <main ref={main}>
        <Icon />
        <h1>Sign in</h1>
        {ending.value && <Notice>{ENDINGS[ending.value]}</Notice>}
        {token === undefined ? <Ways /> : <ByLink token={token} />}
      </main>
    </div>
  );
}

async function signInByLink(token: string): Promise<void> {
  const begun = await call('POST /operator/v1/session/link', { body: { token } });
  linkToken.value = undefined;
  hasNewPasskey.value = false;
  begin(begun);
}

// A click is required, because programs that preview links open them, and the link works once.
const ByLink = ({ token }: { readonly token: string }) => (
  <>
    <p>
      This link signs you in once.
      {session.value && ` You are signed in as ${session.value.name} now; the link may be somebody else's.`}
    </p>
    <Form submit="Continue" onSubmit={() => signInByLink(token)} />
    <button
      type="button"
      class="plain"
      onClick={() => {
        linkToken.value = undefined;
      }}
    >
      {session.value ? `Stay signed in as ${session.value.name}` : 'Sign in another way'}
    </button>
  </>
);

function Ways() {
  const [name, setName] = useState('');
  return (
    <>
      <ByPassword name={name} onName={setName} />
      {canUsePasskeys && (
        <Form
          submit="Sign in with a passkey"
          tone="secondary"
          onSubmit={() => signInByPasskey().then(begin)}
        />
      )}
      <p class="soft">
        No way in? An owner can send you a new link, and whoever has the machine can run{' '}
        <code>svc-server operators link {name.trim() || 'NAME'}</code>.
      </p>
    </>
  );
}

function ByPassword({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }) {
  const [password, setPassword] = useState('');
  const signIn = () =>
    call('POST /operator/v1/session', { body: { name: name.trim(), password } }).then(begin);
  return (
    <Form submit="Sign in" onSubmit={signIn}>
      <TextField label="Name" value={name} onValue={onName} autoComplete="username" required />
      <TextField
        label="Password"
        type="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        required
      />
    </Form>
  );
}
