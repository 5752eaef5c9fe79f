import { Copied } from '../../parts/copy.tsx';
import { PLAIN, SECRET_STORAGE, SECRET_STORED, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { serviceUrl } from '../../service-url.ts';
import type { Typed } from './access.ts';

export const OPEN_ID_FIELDS = [
  'openId.issuer',
  'openId.clientId',
  'openId.clientSecret',
  'openId.claim',
  'openId.scopes',
] as const;

interface OpenIdFieldsProps {
  readonly applicationId: string;
  readonly typed: Typed;
  readonly onChange: (change: Partial<Typed>) => void;
  readonly wrong: Readonly<Partial<Record<(typeof OPEN_ID_FIELDS)[number], string>>>;
  readonly isSecretStored: boolean;
}

const NEEDED = { ...PLAIN, required: true } as const;
const ISSUER = { ...NEEDED, type: 'url', placeholder: 'https://login.example.com', maxLength: 2048 } as const;

/**
 * Shows the form fields for an OpenID Connect issuer, and for the OAuth client with which the service signs in users
 * there.
 */
export function OpenIdFields({ applicationId, typed, onChange, wrong, isSecretStored }: OpenIdFieldsProps) {
  const field = (name: 'issuer' | 'clientId' | 'clientSecret' | 'claim' | 'scopes') => ({
    wrong: wrong[`openId.${name}`],
    value: typed[name],
    onValue: (value: string) => onChange({ [name]: value }),
  });
  return (
    <>
      <Notice>
        <p>
          Register this redirect URI with the issuer. The issuer gives you the client ID and the client secret
          for the fields on this page.
        </p>
        <Copied text={`${serviceUrl()}/agents/${applicationId}/callback`} what="the redirect URI" />
      </Notice>
      <TextField
        {...ISSUER}
        {...field('issuer')}
        label="Issuer"
        hint="The issuer URL. The issuer serves /.well-known/openid-configuration under this URL."
      />
      <TextField {...NEEDED} {...field('clientId')} label="Client ID" maxLength={256} />
      <TextField
        {...field('clientSecret')}
        label="Client secret"
        type="password"
        hint={
          isSecretStored
            ? SECRET_STORED
            : `${SECRET_STORAGE} Leave the field empty if the issuer gave you no client secret.`
        }
        autoComplete="off"
        maxLength={1024}
      />
      <TextField
        {...NEEDED}
        {...field('claim')}
        label="Claim"
        hint="The claim in the ID token that contains your application’s identifier for the user."
        maxLength={256}
      />
      <TextField
        {...NEEDED}
        {...field('scopes')}
        label="Scopes"
        hint="Scopes to request, separated by spaces. The scopes must include openid."
      />
    </>
  );
}
