import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { mayChangeOwnSignIn, notePassword, session, titleOf } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { say } from '../../parts/toast.tsx';
import { Passkeys } from './passkeys.tsx';

export const Profile = () =>
  session.value && (
    <Page
      title="My sign-in"
      about={`You are ${session.value.name}, with the role ${titleOf(session.value.role)}. Here is how you sign in.`}
    >
      {!mayChangeOwnSignIn() && (
        <Notice>
          As a reader you change nothing here, your own sign-in neither. Ask an owner for a new sign-in link:
          when you come by that, you can choose another password or passkey.
        </Notice>
      )}
      <div class="columns">
        {mayChangeOwnSignIn() && <PasswordForm name={session.value.name} />}
        <Passkeys />
      </div>
    </Page>
  );

const SHORTEST = 12;

function PasswordForm({ name }: { readonly name: string }) {
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const save = async () => {
    await call('PUT /operator/v1/session/password', {
      body: { newPassword, ...(password !== '' && { password }) },
    });
    notePassword();
    setPassword('');
    setNewPassword('');
    say('The new password counts from now on. Your other sessions have ended.');
  };
  return (
    <section class="panel">
      <h2>Password</h2>
      <Form submit="Change the password" onSubmit={save}>
        {/* Password managers store a password by this name. */}
        <input hidden type="text" autoComplete="username" value={name} readOnly />
        {session.value?.signedInBy !== 'link' && (
          <TextField
            label="The password you have"
            type="password"
            value={password}
            onValue={setPassword}
            autoComplete="current-password"
            required
          />
        )}
        <TextField
          label="The new password"
          hint={`At least ${SHORTEST} characters. The longer, the better; a password manager makes and keeps a good one.`}
          type="password"
          value={newPassword}
          onValue={setNewPassword}
          autoComplete="new-password"
          minLength={SHORTEST}
          maxLength={256}
          required
        />
      </Form>
    </section>
  );
}
