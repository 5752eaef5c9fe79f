import { Copied } from '../../parts/copy.tsx';
import { TextField } from '../../parts/field.tsx';
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

const plain = { autoComplete: 'off', spellcheck: false, required: true } as const;

/** The issuer, and what this service is to it. */
export function OpenIdFields({ applicationId, typed, onChange, wrong, isSecretStored }: OpenIdFieldsProps) {
  return (
    <>
      <Notice>
        <p>Register this redirect URI with the issuer, then enter what you get there:</p>
        <Copied text={`${location.origin}/agents/${applicationId}/callback`} what="the redirect URI" />
      </Notice>
      <TextField
        {...plain}
        label="Issuer"
        type="url"
        hint="Its metadata is below /.well-known/openid-configuration."
        placeholder="https://login.example.com"
        wrong={wrong['openId.issuer']}
        value={typed.issuer}
        onValue={(issuer) => onChange({ issuer })}
        maxLength={2048}
      />
      <TextField
        {...plain}
        label="Client ID"
        wrong={wrong['openId.clientId']}
        value={typed.clientId}
        onValue={(clientId) => onChange({ clientId })}
        maxLength={256}
      />
      <TextField
        label="Client secret"
        type="password"
        hint={
          isSecretStored
            ? 'A secret is stored, encrypted, and is never shown. Leave this empty to keep it.'
            : 'It is stored encrypted, and never shown again. Empty where the issuer gave none.'
        }
        wrong={wrong['openId.clientSecret']}
        value={typed.clientSecret}
        onValue={(clientSecret) => onChange({ clientSecret })}
        autoComplete="off"
        maxLength={1024}
      />
      <TextField
        {...plain}
        label="Claim"
        hint="The one of the ID token that is the identifier by which your application knows the user."
        wrong={wrong['openId.claim']}
        value={typed.claim}
        onValue={(claim) => onChange({ claim })}
        maxLength={256}
      />
      <TextField
        {...plain}
        label="Scopes"
        hint="Between spaces; openid is one of them."
        wrong={wrong['openId.scopes']}
        value={typed.scopes}
        onValue={(scopes) => onChange({ scopes })}
      />
    </>
  );
}
