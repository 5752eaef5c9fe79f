import { Copied } from '../../parts/copy.tsx';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
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

/** The issuer, and the client that this service is there. */
export function OpenIdFields({ applicationId, typed, onChange, wrong, isSecretStored }: OpenIdFieldsProps) {
  const field = (name: 'issuer' | 'clientId' | 'clientSecret' | 'claim' | 'scopes') => ({
    wrong: wrong[`openId.${name}`],
    value: typed[name],
    onValue: (value: string) => onChange({ [name]: value }),
  });
  return (
    <>
      <Notice>
        <p>Register this redirect URI with the issuer, then enter what you get there:</p>
        <Copied text={`${location.origin}/agents/${applicationId}/callback`} what="the redirect URI" />
      </Notice>
      <TextField
        {...ISSUER}
        {...field('issuer')}
        label="Issuer"
        hint="Its metadata is below /.well-known/openid-configuration."
      />
      <TextField {...NEEDED} {...field('clientId')} label="Client ID" maxLength={256} />
      <TextField
        {...field('clientSecret')}
        label="Client secret"
        type="password"
        hint={
          isSecretStored
            ? 'A secret is stored, encrypted, and is never shown. Leave this empty to keep it.'
            : 'It is stored encrypted, and never shown again. Empty where the issuer gave none.'
        }
        autoComplete="off"
        maxLength={1024}
      />
      <TextField
        {...NEEDED}
        {...field('claim')}
        label="Claim"
        hint="The one of the ID token that is the identifier by which your application knows the user."
        maxLength={256}
      />
      <TextField
        {...NEEDED}
        {...field('scopes')}
        label="Scopes"
        hint="Between spaces; openid is one of them."
      />
    </>
  );
}
