import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

type Json = Readonly<Record<string, unknown>>;

const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Key of an attacker. The service does not trust it. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk: Json = publicKey.export({ format: 'jwk' });

const signRsa = (input: string, key: KeyObject = privateKey): string =>
  createSign('sha256').update(input).sign(key).toString('base64url');
const signHmac = (input: string, key: string | Buffer): string =>
  createHmac('sha256', key).update(input).digest('base64url');

const rsa = (header: Json, claims: Json): string => {
  const input = `${encode({ typ: 'JWT', alg: 'RS256', ...header })}.${encode(claims)}`;
  return `${input}.${signRsa(input)}`;
};
const hmac = (header: Json, claims: Json, key: string | Buffer = ''): string => {
  const input = `${encode({ typ: 'JWT', alg: 'HS256', ...header })}.${encode(claims)}`;
  return `${input}.${signHmac(input, key)}`;
};
const unsigned = (alg: string, claims: Json): string => `${encode({ typ: 'JWT', alg })}.${encode(claims)}.`;

export interface ForgedToken {
  readonly title: string;
  readonly token: string;
}

/**
 * Builds JWTs of known attacks, which the service must refuse. Their claims fit this application and service, unless
 * the title names a wrong claim.
 */
export function forgeTokens({
  clientId,
  url,
}: {
  readonly clientId: string;
  readonly url: string;
}): readonly ForgedToken[] {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: url, aud: url, sub: clientId, client_id: clientId, iat: now, exp: now + 600 };
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const evil = 'https://keys.example.com';
  return [
    { title: 'alg none', token: unsigned('none', claims) },
    { title: 'alg None', token: unsigned('None', claims) },
    { title: 'alg NONE', token: unsigned('NONE', claims) },
    { title: 'alg none without the last dot', token: unsigned('none', claims).slice(0, -1) },
    { title: 'an empty signature', token: rsa({}, claims).replace(/[^.]+$/, '') },
    { title: 'a signature of zeros', token: rsa({}, claims).replace(/[^.]+$/, 'A'.repeat(342)) },
    { title: 'HS256 under a public key', token: hmac({}, claims, pem) },
    { title: 'HS256 under an empty key', token: hmac({}, claims) },
    { title: 'HS256 under "secret"', token: hmac({}, claims, 'secret') },
    { title: 'HS256 under the client id', token: hmac({}, claims, clientId) },
    { title: 'jku', token: rsa({ jku: `${evil}/jwks.json`, kid: '1' }, claims) },
    { title: 'x5u', token: rsa({ x5u: `${evil}/chain.pem` }, claims) },
    { title: 'x5c', token: rsa({ x5c: ['MIIB'] }, claims) },
    { title: 'an embedded jwk', token: rsa({ jwk }, claims) },
    { title: 'a kid that is a path', token: hmac({ kid: '../../../../dev/null' }, claims) },
    { title: 'a kid that is SQL', token: hmac({ kid: "x' UNION SELECT 'k" }, claims, 'k') },
    { title: 'a kid that is a URL', token: rsa({ kid: `${evil}/key` }, claims) },
    { title: 'another audience', token: rsa({}, { ...claims, aud: 'https://other.example.com' }) },
    { title: 'another issuer', token: rsa({}, { ...claims, iss: 'https://other.example.com' }) },
    { title: 'an end in the past', token: rsa({}, { ...claims, exp: now - 1 }) },
    { title: 'a beginning in the future', token: rsa({}, { ...claims, nbf: now + 3600, iat: now + 3600 }) },
    { title: 'no end', token: rsa({}, { ...claims, exp: undefined }) },
    { title: 'crit', token: rsa({ crit: ['exp'], b64: false }, claims) },
    { title: 'five parts, as an encrypted one', token: `${encode({ alg: 'dir', enc: 'A256GCM' })}..a.b.c` },
    { title: 'the client id itself', token: clientId },
    { title: 'the form of our own tokens', token: `svc_at_${'A'.repeat(65)}` },
  ];
}
