import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type RequestOf } from '../../api/call.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Fact } from '../../parts/fact.tsx';
import {
  type Changeable,
  CheckField,
  Labelled,
  linesOf,
  PLAIN,
  TextAreaField,
  TextField,
} from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { showToast } from '../../parts/toast.tsx';
import { type EditedDraft, useDraft } from '../../parts/use-draft.ts';
import { serviceUrl } from '../../service-url.ts';

export interface ChangeProps {
  readonly application: Application;
  readonly onChange: () => void;
}

type Changes = RequestOf<'PATCH /operator/v1/applications/{applicationId}'>['body'];

/** Changes settings of the application, and reloads the list of applications in the navigation. */
export async function changeApplication(application: Application, body: Changes): Promise<void> {
  const request = { path: { applicationId: application.id }, body };
  await call('PATCH /operator/v1/applications/{applicationId}', request, { ifMatch: application.etag });
  await loadApplications();
}

const LABELS = {
  name: 'Name',
  logo: 'Logo',
  color: 'Color',
  verifyUrl: 'User verification URL',
  redirectUrls: 'Redirect URLs',
  origins: 'Origins',
  allowTokenImport: 'Allow token import',
};

interface SettingsPanelProps extends ChangeProps {
  readonly title: string;
  readonly submit: string;
  readonly changes: Changes;
  readonly draft: EditedDraft & { readonly reset: () => void };
  /** Message that is shown after the changes were saved. */
  readonly saved: string;
  readonly children: ComponentChildren;
}

function SettingsPanel(props: SettingsPanelProps) {
  const { application, onChange, title, submit, changes, draft, saved, children } = props;
  const save = async () => {
    await changeApplication(application, changes);
    draft.reset();
    showToast(saved);
    onChange();
  };
  return (
    <section class="panel">
      <h2>{title}</h2>
      <Form
        submit={submit}
        onSubmit={save}
        edit={{ compared: { draft, labels: LABELS }, onReload: onChange }}
      >
        {children}
      </Form>
    </section>
  );
}

export function Appearance(props: ChangeProps) {
  const { application } = props;
  const initial = {
    name: application.name,
    logo: application.logo ?? null,
    color: application.color ?? '',
  };
  const draft = useDraft({ form: 'appearance', initial });
  const { name, logo, color } = draft.value;
  return (
    <SettingsPanel
      {...props}
      title="Name, logo and color"
      submit="Save appearance"
      changes={{ name: name.trim(), logo, color: color.trim() || null }}
      draft={draft}
      saved="Appearance saved."
    >
      <TextField
        label="Name"
        hint="Your users see this name on the consent page."
        value={name}
        onValue={(next) => draft.change({ name: next })}
        maxLength={128}
        autoComplete="off"
        required
      />
      <LogoField value={logo} onValue={(next) => draft.change({ logo: next })} />
      <TextField
        {...PLAIN}
        label="Color"
        hint="Color of the main button on the connect pages. The button text is black or white, whichever is easier to read."
        placeholder="#0f6b5c"
        maxLength={7}
        value={color}
        onValue={(next) => draft.change({ color: next })}
      />
      <Preview applicationId={application.id} />
    </SettingsPanel>
  );
}

const LANGUAGES = [
  { language: 'en', title: 'English' },
  { language: 'de', title: 'German' },
] as const;

/** Links to previews of the connect page, which use the saved settings. */
const Preview = ({ applicationId }: { readonly applicationId: string }) => (
  <p>
    Preview of the connect page with the saved settings:{' '}
    {LANGUAGES.map(({ language, title }, index) => (
      <>
        {index > 0 && ', '}
        <a
          href={`${serviceUrl()}/operator/v1/applications/${applicationId}/connect-page?language=${language}`}
          target="_blank"
          rel="noreferrer"
        >
          {title}
        </a>
      </>
    ))}
  </p>
);

/** Form field for the logo of the application, whose value is a data URL. */
function LogoField({ value, onValue }: Changeable<string | null>) {
  const [wrong, setWrong] = useState<string>();
  const take = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    try {
      onValue(await readLogo(file));
      setWrong(undefined);
    } catch (error) {
      input.value = '';
      setWrong(
        error instanceof Error ? error.message : 'The browser cannot read this file. Choose another file.',
      );
    }
  };
  return (
    <>
      <Labelled
        label="Logo"
        hint="A square PNG or SVG image of at most 32 KiB. Users see the logo on the connect pages."
        wrong={wrong}
      >
        {(described) => (
          <input
            {...described}
            type="file"
            accept="image/png,image/svg+xml"
            onChange={(event) => take(event.currentTarget)}
          />
        )}
      </Labelled>
      {value !== null && (
        <div class="row">
          <span class="logo">
            <img src={value} alt="Preview of the logo" />
          </span>
          <button type="button" class="small" onClick={() => onValue(null)}>
            Remove logo
          </button>
        </div>
      )}
    </>
  );
}

/** Maximum length of the logo's data URL in bytes. */
export const MAX_LOGO_BYTES = 32 * 1024;
const TYPES = ['image/png', 'image/svg+xml'];

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Reads an image file as a data URL. Throws an error with a message for the operator if the file is not suitable. */
export async function readLogo(file: Blob): Promise<string> {
  if (!TYPES.includes(file.type))
    throw new Error('This file is not a PNG or SVG image. Choose another file.');
  const dataUrl = `data:${file.type};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`;
  if (dataUrl.length <= MAX_LOGO_BYTES) return dataUrl;
  const kibibytes = Math.ceil(dataUrl.length / 1024);
  throw new Error(
    `The encoded logo is ${kibibytes} KiB large, but the limit is 32 KiB. Choose a smaller image.`,
  );
}

export function BrowserUrls(props: ChangeProps) {
  const { application } = props;
  const initial = {
    verifyUrl: application.verifyUrl ?? '',
    redirectUrls: application.redirectUrls.join('\n'),
  };
  const draft = useDraft({ form: 'urls', initial });
  const { verifyUrl, redirectUrls } = draft.value;
  return (
    <SettingsPanel
      {...props}
      title="URLs of your application"
      submit="Save URLs"
      changes={{ verifyUrl: verifyUrl.trim() || null, redirectUrls: linesOf(redirectUrls) }}
      draft={draft}
      saved="URLs saved."
    >
      <TextField
        label="User verification URL"
        type="url"
        hint={
          <>
            After the user gives consent, the browser opens this page of your application. Your application
            then calls <code>accounts.verify</code> with the signed-in user, so that only the right person can
            connect the account.
          </>
        }
        placeholder="https://app.example.com/connected"
        value={verifyUrl}
        onValue={(next) => draft.change({ verifyUrl: next })}
        maxLength={2048}
      />
      <TextAreaField
        label="Redirect URLs"
        hint="One redirect URL per line. The successUrl and failureUrl of a link must each match one of these URLs exactly."
        placeholder="https://app.example.com/settings"
        rows={3}
        value={redirectUrls}
        onValue={(next) => draft.change({ redirectUrls: next })}
      />
    </SettingsPanel>
  );
}

export function PageOrigins(props: ChangeProps) {
  const draft = useDraft({ form: 'origins', initial: { origins: props.application.origins.join('\n') } });
  const { origins } = draft.value;
  return (
    <SettingsPanel
      {...props}
      title="Calls from browsers"
      submit="Save origins"
      changes={{ origins: linesOf(origins) }}
      draft={draft}
      saved="Origins saved."
    >
      <TextAreaField
        label="Origins"
        hint="One origin per line, without a path. Web pages from these origins can call the service with a browser token (accountToken), but not with the application’s access token."
        placeholder="https://app.example.com"
        rows={2}
        value={origins}
        onValue={(next) => draft.change({ origins: next })}
      />
    </SettingsPanel>
  );
}

export function TokenImport(props: ChangeProps) {
  const { application } = props;
  const initial = { allowTokenImport: application.allowTokenImport };
  const draft = useDraft({ form: 'import', initial });
  const { allowTokenImport } = draft.value;
  return (
    <SettingsPanel
      {...props}
      title="Token import"
      submit="Save token import"
      changes={{ allowTokenImport }}
      draft={draft}
      saved="Token import saved."
    >
      <CheckField
        label="Allow token import"
        hint="With this option, your application can import OAuth tokens that it already has for its users. The service tests each token at the upstream first. Turn off token import after the last import."
        checked={allowTokenImport}
        onValue={(next) => draft.change({ allowTokenImport: next })}
      />
    </SettingsPanel>
  );
}

/** Shows the settings as text, for operators with read-only access. */
export const ReadOnly = ({ application }: { readonly application: Application }) => (
  <section class="panel">
    <h2>Settings</h2>
    <dl class="facts">
      <Fact title="Name">{application.name}</Fact>
      <Fact title="Color">{application.color ?? 'None'}</Fact>
      <Fact title="Production">
        {application.production ? 'Yes: your application verifies every user' : 'No: in development'}
      </Fact>
      <Fact title="User verification URL">{application.verifyUrl ?? 'None'}</Fact>
      <Fact title="Redirect URLs">{application.redirectUrls.join(', ') || 'None'}</Fact>
      <Fact title="Origins">{application.origins.join(', ') || 'None'}</Fact>
      <Fact title="Token import">{application.allowTokenImport ? 'Allowed' : 'Off'}</Fact>
    </dl>
  </section>
);
