import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';

/** WebAuthn options from the service that the authenticator reads. */
interface CredentialOptions {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

export interface AuthenticatorOptions {
  /** Origin of the page that calls WebAuthn. */
  readonly origin: string;
  /** True if the authenticator has verified the user. */
  readonly isVerified?: boolean;
  /** Signature counter of the next response. Default: the last counter plus 1. */
  readonly counter?: number;
  /** Credential ID to present instead of the authenticator's own ID. */
  readonly id?: string;
  readonly userHandle?: string;
  /** Attestation certificate and key in PEM. Default: no attestation. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

type Cbor = number | string | Buffer | ReadonlyMap<unknown, unknown> | readonly unknown[];

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** Encodes a value as CBOR (RFC 8949), limited to the types that WebAuthn uses. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map((each) => cbor(each))]);
  const entries = [...(value as ReadonlyMap<Cbor, Cbor>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((pair) => pair.map(cbor))]);
}

const coordinatesOf = (publicKey: KeyObject): [Buffer, Buffer] => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
};

function coseOf(publicKey: KeyObject): Buffer {
  const [x, y] = coordinatesOf(publicKey);
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, x],
      [-3, y],
    ]),
  );
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

/** Creates a software authenticator with one discoverable ES256 passkey. */
export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = randomBytes(12).toString('base64url');

  const clientData = (type: string, { challenge }: CredentialOptions, { origin }: AuthenticatorOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function authenticatorData(
    { rp, rpId = rp?.id ?? '' }: CredentialOptions,
    options: AuthenticatorOptions,
    attested = Buffer.alloc(0),
  ) {
    counter = options.counter ?? counter + 1;
    const flags =
      PRESENT + ((options.isVerified ?? true) ? VERIFIED : 0) + (attested.length > 0 ? ATTESTED : 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted, attested]);
  }

  const credential = (response: Readonly<Record<string, Buffer | string>>, ownId = id) => ({
    id: ownId,
    rawId: ownId,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [
        name,
        typeof bytes === 'string' ? bytes : bytes.toString('base64url'),
      ]),
    ),
  });

  /** Builds a `fido-u2f` attestation statement, the format of security keys older than FIDO2. */
  function statementOf({ certificate }: AuthenticatorOptions, signed: readonly Buffer[]) {
    if (!certificate) return new Map<string, Cbor>();
    const point = Buffer.concat([Buffer.from([4]), ...coordinatesOf(publicKey)]);
    const sig = createSign('sha256')
      .update(Buffer.concat([Buffer.from([0]), ...signed, point]))
      .sign(certificate.key);
    return new Map<string, Cbor>([
      ['sig', sig],
      ['x5c', [new X509Certificate(certificate.cert).raw]],
    ]);
  }

  return {
    id,

    /** Emulates `navigator.credentials.create` with these options. */
    create(request: CredentialOptions, options: AuthenticatorOptions) {
      userHandle = request.user?.id ?? userHandle;
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseOf(publicKey)]);
      const clientDataJSON = clientData('webauthn.create', request, options);
      const signed = [sha256(request.rp?.id ?? ''), sha256(clientDataJSON), credentialId];
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ['fmt', options.certificate ? 'fido-u2f' : 'none'],
          ['attStmt', statementOf(options, signed)],
          ['authData', authenticatorData(request, options, attested)],
        ]),
      );
      return credential({ clientDataJSON, attestationObject });
    },

    /** Emulates `navigator.credentials.get` with these options. */
    get(request: CredentialOptions, options: AuthenticatorOptions) {
      const clientDataJSON = clientData('webauthn.get', request, options);
      const data = authenticatorData(request, options);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(clientDataJSON)]))
        .sign(privateKey);
      const handle = options.userHandle ?? userHandle;
      return credential(
        { clientDataJSON, authenticatorData: data, signature, userHandle: handle },
        options.id,
      );
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
