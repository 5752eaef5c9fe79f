import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { notePassword, session } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';

const SHORTEST = 12;

export function PasswordForm({ name }: { readonly name: string }) {
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
        {/* For password managers, which keep a password by its name. */}
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
