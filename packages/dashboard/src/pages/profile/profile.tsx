import { mayChangeOwnSignIn, session, titleOf } from '../../api/session.ts';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';

/** How the one who is signed in signs in. */
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
