import type { Application } from '../../application-choice.tsx';
import { DialogButton } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Badge } from '../../parts/state.tsx';
import { showToast } from '../../parts/toast.tsx';
import { PATHS } from '../../paths.ts';
import { type ChangeProps, changeApplication } from './settings.tsx';

export const ModeBadge = ({ production }: Pick<Application, 'production'>) =>
  production ? <Badge tone="good">In production</Badge> : <Badge tone="soft">In development</Badge>;

export function Production({ application, onChange }: ChangeProps) {
  const { production } = application;
  const missing = missingForProduction(application);
  const change = async (close: () => void) => {
    await changeApplication(application, { production: !production });
    close();
    showToast(`The application is now in ${production ? 'development' : 'production'}.`);
    onChange();
  };
  const action = production ? 'Switch to development' : 'Switch to production';
  return (
    <section class="panel">
      <h2>Production</h2>
      <p>
        <ModeBadge production={production} />
      </p>
      <p class="soft">
        {production
          ? 'In production, the service connects an account only after your application confirms the user at its user verification URL. You can change this URL, but you cannot remove it.'
          : 'In development, users can connect accounts without a user verification URL. Development mode is unsafe with real users: anyone who gets a user’s link could connect their own account as that user.'}
      </p>
      {!production && missing.length > 0 && (
        <Notice tone="warn">
          <p>To switch to production:</p>
          <ul>
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      <DialogButton label={action} title={`${action}?`} disabled={!production && missing.length > 0}>
        {(close) => (
          <>
            <p>
              {production
                ? 'Connected accounts do not change. If you keep the user verification URL, your application still confirms the user of each new account.'
                : `New accounts are connected only after ${application.verifyUrl} confirms the user. Connected accounts do not change.`}
            </p>
            <p class="soft">
              The page <a href={PATHS.health}>Health</a> shows whether the service is ready for production.
            </p>
            <Form
              submit={action}
              onCancel={close}
              onSubmit={() => change(close)}
              edit={{ onReload: onChange }}
            />
          </>
        )}
      </DialogButton>
    </section>
  );
}

const LOOPBACK = /^(?:localhost|127\.|\[::1\])/;

/** Returns one instruction for each condition that prevents production mode. */
export function missingForProduction({ verifyUrl }: Pick<Application, 'verifyUrl'>): readonly string[] {
  if (verifyUrl === null)
    return ['Save a user verification URL, so that your application can confirm which user gave consent.'];
  const { protocol, hostname } = new URL(verifyUrl);
  if (protocol === 'https:' && !LOOPBACK.test(hostname)) return [];
  return [`Replace the user verification URL ${verifyUrl} with a public https URL.`];
}
