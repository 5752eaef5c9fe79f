import { call } from '../../api/call.ts';
import { mayChangeOwnSignIn, notePassword, session, titleOf } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { Passkeys } from './passkeys.tsx';

export const Profile = () =>
  session.value && (
    <Page
      title="My sign-in"
      about={`You are signed in as ${session.value.name} with the role ${titleOf(session.value.role)}.`}
    >
      {!mayChangeOwnSignIn() && (
        <Notice>
          Readers cannot change their password or passkeys. Ask an owner for a new sign-in link. After you
          sign in with the link, you can change your password and passkeys.
        </Notice>
      )}
      <div class="columns">
        {mayChangeOwnSignIn() && <PasswordForm name={session.value.name} />}
        <Passkeys />
      </div>
    </Page>
  );

const MIN_LENGTH = 12;
const NO_PASSWORDS = { password: '', newPassword: '' };

function PasswordForm({ name }: { readonly name: string }) {
  const draft = useDraft({ form: 'password', initial: NO_PASSWORDS, secrets: ['password', 'newPassword'] });
  const { password, newPassword } = draft.value;
  const save = async () => {
    await call('PUT /operator/v1/session/password', {
      body: { newPassword, ...(password !== '' && { password }) },
    });
    notePassword();
    draft.reset(NO_PASSWORDS);
    showToast('Password changed. Your other sessions have ended.');
  };
  return (
    <section class="panel">
      <h2>Password</h2>
      <Form submit="Change password" onSubmit={save}>
        {/* Password managers need a username field to store the new password for the correct operator. */}
        <input hidden type="text" autoComplete="username" value={name} readOnly />
        {session.value?.signedInBy !== 'link' && (
          <TextField
            label="Current password"
            type="password"
            value={password}
            onValue={(next) => draft.change({ password: next })}
            autoComplete="current-password"
            required
          />
        )}
        <TextField
          label="New password"
          hint={`At least ${MIN_LENGTH} characters. Use a password manager to generate and store a long password.`}
          type="password"
          value={newPassword}
          onValue={(next) => draft.change({ newPassword: next })}
          autoComplete="new-password"
          minLength={MIN_LENGTH}
          maxLength={256}
          required
        />
      </Form>
    </section>
  );
}
