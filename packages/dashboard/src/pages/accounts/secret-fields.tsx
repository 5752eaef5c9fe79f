import type { Connector } from '../../api/catalogue.ts';
import { leadsToSandbox, useHealth } from '../../api/health.ts';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { keyWord, takesKey } from '../../words/states.ts';
import type { TypedSecrets } from './secrets.ts';

interface SecretFieldsProps {
  readonly connector: Connector;
  readonly typed: TypedSecrets;
  readonly onTyped: (typed: TypedSecrets) => void;
  /** The address of the upstream. */
  readonly baseUrl: string | null;
  /** The account cannot be used without the key. */
  readonly isKeyNeeded: boolean;
}

const SANDBOX = 'This connection leads to the sandbox, where any value works that begins with “sandbox-”.';
const STORED = 'It is stored encrypted, and never shown again.';

const HIDDEN = { ...PLAIN, type: 'password' } as const;

/** The secrets that the users of a connector give: a key or token, and sometimes more. */
export function SecretFields({ connector, typed, onTyped, baseUrl, isKeyNeeded }: SecretFieldsProps) {
  const { authType, credentials } = connector;
  const word = keyWord(authType);
  const isSandbox = leadsToSandbox(baseUrl, useHealth().value);
  return (
    <>
      {takesKey(authType) && (
        <TextField
          {...HIDDEN}
          label={word === 'token' ? 'Token' : word}
          hint={isSandbox ? SANDBOX : STORED}
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
