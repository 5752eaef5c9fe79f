import { useEffect, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { session } from '../api/session.ts';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import icon from '../styles/icon.svg';

const LINK = '/dashboard/sign-in';

/** The token of a one-time link, which leaves the address bar at once. */
function takeToken(): string | undefined {
  const { pathname, hash } = location;
  if (pathname !== LINK) return undefined;
  history.replaceState(null, '', '/dashboard');
  return hash.length > 1 ? hash.slice(1) : undefined;
}

export function SignIn() {
  const [token, setToken] = useState<string | undefined>(takeToken);
  useEffect(() => {
    document.title = 'Sign in · Dashboard';
  }, []);
  return (
    <div class="signed-out">
      <main>
        <img src={icon} alt="" width={44} height={44} />
        <h1>Sign in</h1>
        {token === undefined ? <ByPassword /> : <ByLink token={token} onGiveUp={() => setToken(undefined)} />}
      </main>
    </div>
  );
}

// A click, because programs that preview links open them too, and the link works once.
const ByLink = ({ token, onGiveUp }: { readonly token: string; readonly onGiveUp: () => void }) => (
  <>
    <p>This link signs you in once.</p>
    <Form
      submit="Continue"
      onSubmit={async () => {
        session.value = await call('POST /operator/v1/session/link', { body: { token } });
      }}
    />
    <button type="button" class="plain" onClick={onGiveUp}>
      Sign in another way
    </button>
  </>
);

function ByPassword() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <>
      <Form
        submit="Sign in"
        onSubmit={async () => {
          session.value = await call('POST /operator/v1/session', { body: { name, password } });
        }}
      >
        <TextField label="Name" value={name} onValue={setName} autoComplete="username" required autofocus />
        <TextField
          label="Password"
          type="password"
          value={password}
          onValue={setPassword}
          autoComplete="current-password"
          required
        />
      </Form>
      {'PublicKeyCredential' in globalThis && <ByPasskey />}
      <p class="soft">
        Lost both? Whoever has the machine can run <code>svc-server operators link {name || 'admin'}</code>.
      </p>
    </>
  );
}

async function signInByPasskey(): Promise<void> {
  const { options } = await call('POST /operator/v1/session/passkey-options', { body: {} });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) return;
  session.value = await call('POST /operator/v1/session/passkey', {
    body: { credential: credential.toJSON() },
  });
}

function ByPasskey() {
  const [error, setError] = useState<unknown>();
  return (
    <>
      <button type="button" onClick={() => signInByPasskey().catch(setError)}>
        Sign in with a passkey
      </button>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  );
}
