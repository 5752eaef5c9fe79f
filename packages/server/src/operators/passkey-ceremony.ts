import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { OperatorPasskeyRow } from '../storage/operator-rows.js';
import { CHALLENGE_LIFE_MS } from './passkey-challenges.js';

export type { AuthenticationResponseJSON, RegistrationResponseJSON };

export interface RegistrationRequest {
  readonly challenge: string;
  readonly operatorId: string;
  readonly name: string;
  /**
   * Credential ids of the passkeys that the operator already has. Browsers refuse to register an authenticator that has
   * one of these passkeys.
   */
  readonly existing: readonly string[];
}

export type NewCredential = Pick<OperatorPasskeyRow, 'credentialId' | 'publicKey' | 'counter'>;

// COSE algorithms that passkeys may use: EdDSA, ES256, and RS256 for Windows authenticators.
const ALGORITHMS = [-8, -7, -257];

// The library takes 20 MB of memory, so it is loaded only for the first verification. Creating WebAuthn options does
// not need it.
const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/**
 * Encodes the operator id as WebAuthn user handle. A passkey returns the handle at sign-in and so identifies its
 * operator.
 */
export const toUserHandle = (operatorId: string): string => Buffer.from(operatorId).toString('base64url');

/**
 * Refuses attestations with certificates, which browsers send only on request. The library would fetch the
 * certificate's revocation list without the service's address checks (rule N1 in security-rules.md).
 */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned)
    throw new Error(
      `The passkey has the attestation format ${format}, which the service does not support. Use another device.`,
    );
}

/** Creates WebAuthn options for browsers and verifies the responses of browsers. */
export function createPasskeyCeremony({
  environmentUrl,
}: {
  /** Public URL of this service. Its host becomes the relying party id, so passkeys work only on this host. */
  readonly environmentUrl: string;
}) {
  const { origin, hostname } = new URL(environmentUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };

  function requestRegistration({
    challenge,
    operatorId,
    name,
    existing,
  }: RegistrationRequest): PublicKeyCredentialCreationOptionsJSON {
    return {
      timeout: CHALLENGE_LIFE_MS,
      challenge,
      rp: { id: hostname, name: 'Agent connector service' },
      user: { id: toUserHandle(operatorId), name, displayName: name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      attestation: 'none',
      excludeCredentials: existing.map((id) => ({ id, type: 'public-key' })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    };
  }

  function requestAuthentication(challenge: string): PublicKeyCredentialRequestOptionsJSON {
    return {
      timeout: CHALLENGE_LIFE_MS,
      challenge,
      rpId: hostname,
      userVerification: 'required',
    };
  }

  /** Verifies a new passkey and returns its credential. Throws for an invalid response. */
  async function verifyRegistration(
    response: RegistrationResponseJSON,
    expectedChallenge: string,
  ): Promise<NewCredential> {
    await refuseCertificates(response);
    const { verifyRegistrationResponse } = await load();
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response,
      expectedChallenge,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) throw new Error('The attestation of the passkey is invalid. Use another device.');
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  }

  /** Verifies a sign-in with a passkey and returns its new signature counter. Throws for an invalid response. */
  async function verifyAuthentication(
    response: AuthenticationResponseJSON,
    { challenge, passkey }: { readonly challenge: string; readonly passkey: OperatorPasskeyRow },
  ): Promise<number> {
    const { verifyAuthenticationResponse } = await load();
    const { credentialId: id, publicKey, counter, operatorId } = passkey;
    if (response.response.userHandle !== toUserHandle(operatorId))
      throw new Error('The passkey belongs to another operator. Use your own passkey.');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response,
      expectedChallenge: challenge,
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
    });
    if (!verified)
      throw new Error('The signature of the passkey is invalid. Try again, or use another passkey.');
    return authenticationInfo.newCounter;
  }

  return { requestRegistration, requestAuthentication, verifyRegistration, verifyAuthentication };
}

export type PasskeyCeremony = ReturnType<typeof createPasskeyCeremony>;
