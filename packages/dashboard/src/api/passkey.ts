import { call } from './call.ts';

export const canUsePasskeys = 'PublicKeyCredential' in globalThis;

/** Error messages for failed passkey operations, by the name of the browser's DOMException. */
const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: you cancelled, the time ran out, or this device has no passkey for this service. Try again, or use another device.',
  InvalidStateError:
    'This device already has a passkey for your account. Sign in with that passkey, or add a passkey on another device.',
  SecurityError: 'Passkeys work only at the URL in SVC_ENVIRONMENT_URL. Open the dashboard at that URL.',
  NotSupportedError: 'The service does not support the passkeys of this device. Use another device.',
};

/** Waits for a passkey credential and converts it to plain JSON, because its fields differ between browsers. */
async function toJson(pending: Promise<Credential | null>) {
  try {
    const credential = await pending;
    if (credential instanceof PublicKeyCredential) return JSON.parse(JSON.stringify(credential));
  } catch (error) {
    const message = error instanceof DOMException ? MESSAGES[error.name] : undefined;
    throw message === undefined ? error : new Error(message, { cause: error });
  }
  throw new Error(MESSAGES['NotAllowedError']);
}

export async function signInByPasskey() {
  const { options } = await call('POST /operator/v1/session/passkey-options', { body: {} });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await toJson(navigator.credentials.get({ publicKey }));
  return call('POST /operator/v1/session/passkey', { body: { credential } });
}

export async function addPasskey(name: string) {
  const { options } = await call('POST /operator/v1/session/passkeys/options', { body: {} });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await toJson(navigator.credentials.create({ publicKey }));
  return call('POST /operator/v1/session/passkeys', { body: { name, credential } });
}
