import { useState } from 'preact/hooks';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { type ChangeProps, changeApplication } from './change.ts';
import { linesOf } from './lines-of.ts';

/** Where the browsers of the application's users are sent. */
export function BrowserUrls({ application, onChange }: ChangeProps) {
  const [verifyUrl, setVerifyUrl] = useState(application.verifyUrl ?? '');
  const [redirectUrls, setRedirectUrls] = useState(application.redirectUrls.join('\n'));
  const save = async () => {
    await changeApplication(application.id, {
      verifyUrl: verifyUrl.trim() || null,
      redirectUrls: linesOf(redirectUrls),
    });
    say('The URLs are saved.');
    onChange();
  };
  return (
    <section class="panel">
      <h2>Where users are sent</h2>
      <Form submit="Save the URLs" onSubmit={save}>
        <TextField
          label="Verify URL"
          type="url"
          hint={
            <>
              After a user has agreed, the browser comes here, and your application says whose browser it is:
              by <code>accounts.verify</code> with the user of its own session. So a link that reached the
              wrong person connects nothing.
            </>
          }
          placeholder="https://app.example.com/connected"
          value={verifyUrl}
          onValue={setVerifyUrl}
          maxLength={2048}
        />
        <TextAreaField
          label="Redirect URLs"
          hint="One a line. Links may send a browser to these in the end (successUrl, failureUrl), and nowhere else; they are compared letter by letter."
          placeholder="https://app.example.com/settings"
          rows={3}
          value={redirectUrls}
          onValue={setRedirectUrls}
        />
      </Form>
    </section>
  );
}
