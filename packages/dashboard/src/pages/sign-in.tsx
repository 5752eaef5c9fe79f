import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { canUsePasskeys, signInByPasskey } from '../api/passkey.ts';
import { hasNewPasskey, type Session, session, sessionEnd } from '../api/session.ts';
import { linkToken } from '../api/sign-in-link.ts';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';

const END_MESSAGES = {
  expired:
    'Your session has ended. A session ends after 30 minutes without use, 12 hours after sign-in, or when an owner ends it. Sign in again to return to the same page.',
  'signed out': 'You are signed out.',
};

/** Stores the new session. The dashboard then shows the page of the current URL. */
function startSession(started: Session): void {
  sessionEnd.value = undefined;
  session.value = started;
}

/** Shows the sign-in page. The URL does not change, so that the requested page opens after the sign-in. */
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
        {sessionEnd.value && <Notice>{END_MESSAGES[sessionEnd.value]}</Notice>}
        {token === undefined ? <SignInForms /> : <ByLink token={token} />}
      </main>
    </div>
  );
}

async function signInByLink(token: string): Promise<void> {
  const started = await call('POST /operator/v1/session/link', { body: { token } });
  linkToken.value = undefined;
  hasNewPasskey.value = false;
  startSession(started);
}

// Requires a click, because mail and chat programs open links for a preview and the link works only once.
const ByLink = ({ token }: { readonly token: string }) => (
  <>
    <p>
      “Continue” signs you in. Your sign-in link works only once.
      {session.value &&
        ` You are currently signed in as ${session.value.name}. This link may belong to another operator.`}
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

function SignInForms() {
  const [name, setName] = useState('');
  return (
    <>
      <ByPassword name={name} onName={setName} />
      {canUsePasskeys && (
        <Form
          submit="Sign in with a passkey"
          tone="secondary"
          onSubmit={() => signInByPasskey().then(startSession)}
        />
      )}
      <p class="soft">
        Cannot sign in? Ask an owner for a new sign-in link, or run this command on the server:{' '}
        <code>svc-server operators link {name.trim() || 'NAME'}</code>.
      </p>
    </>
  );
}

function ByPassword({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }) {
  const [password, setPassword] = useState('');
  const signIn = () =>
    call('POST /operator/v1/session', { body: { name: name.trim(), password } }).then(startSession);
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
