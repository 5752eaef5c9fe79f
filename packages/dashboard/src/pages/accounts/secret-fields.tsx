import type { Connector } from '../../api/catalogue.ts';
import { isSandboxUrl, useHealth } from '../../api/health.ts';
import { PLAIN, SECRET_STORAGE, TextField } from '../../parts/field.tsx';
import { keyWord, takesKey } from '../../words/states.ts';
import type { TypedSecrets } from './secrets.ts';

interface SecretFieldsProps {
  readonly connector: Connector;
  readonly typed: TypedSecrets;
  readonly onTyped: (typed: TypedSecrets) => void;
  readonly baseUrl: string | null;
  readonly isKeyNeeded: boolean;
}

const SANDBOX = 'This connection uses the sandbox, which accepts any value that starts with “sandbox-”.';

const HIDDEN = { ...PLAIN, type: 'password' } as const;

/**
 * Shows the form fields for the account's key or token, and for its secondary credentials (other secrets that the
 * connector needs).
 */
export function SecretFields({ connector, typed, onTyped, baseUrl, isKeyNeeded }: SecretFieldsProps) {
  const { authType, credentials } = connector;
  const word = keyWord(authType);
  const isSandbox = isSandboxUrl(baseUrl, useHealth().value);
  return (
    <>
      {takesKey(authType) && (
        <TextField
          {...HIDDEN}
          label={word === 'token' ? 'Token' : word}
          hint={isSandbox ? SANDBOX : SECRET_STORAGE}
          required={isKeyNeeded}
          value={typed.key}
          onValue={(key) => onTyped({ ...typed, key: key.trim() })}
        />
      )}
      {credentials.map(({ name, title, description }) => (
        <TextField
          {...HIDDEN}
          key={name}
          label={`${title} (optional)`}
          hint={description}
          value={typed.credentials[name] ?? ''}
          onValue={(value) =>
            onTyped({ ...typed, credentials: { ...typed.credentials, [name]: value.trim() } })
          }
        />
      ))}
    </>
  );
}
