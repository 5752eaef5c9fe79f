import { closed, named, type Schema } from '../../listener/list-schema.js';

// Builds the schema of an object that may have unknown properties. Browsers send the result of
// `PublicKeyCredential.toJSON()`, to which newer browsers add properties.
const open = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: true,
  required,
  properties,
});

const anything = { type: 'object', additionalProperties: true };
const bytes = {
  type: 'string',
  minLength: 1,
  maxLength: 12_288,
  description: 'Binary data in base64url.',
  examples: ['MTIz'],
};
const credentialOf = (response: Schema) =>
  open({
    id: { ...bytes, maxLength: 1400 },
    rawId: { ...bytes, maxLength: 1400 },
    type: { type: 'string', enum: ['public-key'] },
    clientExtensionResults: anything,
    response,
  });

export const authentication = credentialOf(
  open({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: { ...bytes, maxLength: 128 },
  }),
);
export const registration = credentialOf(open({ clientDataJSON: bytes, attestationObject: bytes }));

const publicKey = { type: 'string', enum: ['public-key'] };
const word = { type: 'string', examples: ['MTIz'] };
const required = { type: 'string', enum: ['required'] };
const common = {
  challenge: word,
  timeout: { type: 'integer', description: 'Time that the browser gives the operator, in milliseconds.' },
};

/** Schema of the WebAuthn request options, the input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = named(
  'PasskeySignInOptions',
  closed({
    options: closed({ ...common, rpId: word, userVerification: required }),
  }),
);
/** Schema of the WebAuthn creation options, the input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = named(
  'PasskeyCreationOptions',
  closed({
    options: closed({
      ...common,
      rp: closed({ id: word, name: word }),
      user: closed({ id: word, name: word, displayName: word }),
      pubKeyCredParams: {
        type: 'array',
        items: closed({ type: publicKey, alg: { type: 'integer' } }),
      },
      attestation: word,
      excludeCredentials: { type: 'array', items: closed({ type: publicKey, id: word }) },
      authenticatorSelection: closed({
        residentKey: required,
        requireResidentKey: { type: 'boolean' },
        userVerification: required,
      }),
    }),
  }),
);
/** Maximum body size of passkey routes in bytes, enough for public keys of thousands of bits. */
export const PASSKEY_BODY = 32 * 1024;
