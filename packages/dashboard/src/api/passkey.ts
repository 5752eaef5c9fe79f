import { call } from './call.ts';

export const canUsePasskeys = 'PublicKeyCredential' in globalThis;

/** The messages for the errors that browsers report for passkeys. */
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: it was cancelled, took too long, or none of yours is for this service.',
  InvalidStateError: 'This device has a passkey of yours already. Use it, or add one on another device.',
  SecurityError: 'Passkeys work only at the address for which this service is set up (SVC_ENVIRONMENT_URL).',
  NotSupportedError: 'This device has no kind of passkey that the service knows.',
};

/** The credential as plain JSON, because its fields differ between browsers. */
async function ask(asked: Promise<Credential | null>) {
  try {
    const credential = await asked;
    if (credential instanceof PublicKeyCredential) return JSON.parse(JSON.stringify(credential));
  } catch (error) {
    const reason = error instanceof DOMException ? REASONS[error.name] : undefined;
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
  throw new Error(REASONS['NotAllowedError']);
}

export async function signInByPasskey() {
  const { options } = await call('POST /operator/v1/session/passkey-options', { body: {} });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await ask(navigator.credentials.get({ publicKey }));
  return call('POST /operator/v1/session/passkey', { body: { credential } });
}

export async function addPasskey(name: string) {
  const { options } = await call('POST /operator/v1/session/passkeys/options', { body: {} });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await ask(navigator.credentials.create({ publicKey }));
  return call('POST /operator/v1/session/passkeys', { body: { name, credential } });
}
