import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { KeyManagementServiceClient } from '@google-cloud/kms';

/** Fake key management service with one key. It speaks the HTTP API of AWS KMS or Google Cloud KMS. */
export interface KeyService {
  readonly url: string;
  /** Bytes of the key. Tests check that they never leave the key service. */
  readonly material: Buffer;
  readonly calls: () => number;
  /** True closes the connection of every call from now on; false responds to calls again. */
  readonly setDown: (isDown: boolean) => void;
  readonly stop: () => void;
}

interface KeyReply {
  readonly status: number;
  readonly body: object;
}

type KeyRequest = { readonly request: IncomingMessage; readonly body: Record<string, unknown> };

const IV_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, plain: Buffer, aad: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, body: Buffer, aad: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(aad).setAuthTag(body.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function startKeyService(
  contentType: string,
  respond: (key: Buffer, input: KeyRequest) => KeyReply,
): Promise<KeyService> {
  const material = randomBytes(32);
  let [isDown, calls] = [false, 0];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    calls += 1;
    if (isDown) return request.socket.destroy();
    const { status, body } = respond(material, { request, body: await readBody(request) });
    return response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void reply(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    material,
    calls: () => calls,
    setDown: (down) => {
      isDown = down;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const AWS_TYPE = 'application/x-amz-json-1.1';
export const AWS_ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
/** Environment variables that make the AWS SDK of a process use this fake key service. */
export const awsSettings = ({ url }: KeyService) => ({
  AWS_ENDPOINT_URL_KMS: url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'the-secret-key-of-the-operator-at-aws',
});

const refuse = (name: string, status = 400): KeyReply => ({ status, body: { __type: name, message: name } });
const base64 = (value: unknown) => Buffer.from(String(value), 'base64');

function respondAsAws(key: Buffer, { request, body }: KeyRequest): KeyReply {
  const { authorization = '', 'content-type': type, 'x-amz-target': target } = request.headers;
  const scope = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/kms\/aws4_request/;
  if (!scope.test(authorization)) return refuse('IncompleteSignatureException', 403);
  if (type !== AWS_TYPE || request.method !== 'POST') return refuse('SerializationException');
  if (body['KeyId'] !== AWS_ARN) return refuse('NotFoundException');
  const context = Object.entries(body['EncryptionContext'] ?? {}).sort();
  if (context.some(([, value]) => typeof value !== 'string' || value === ''))
    return refuse('ValidationException');
  const aad = Buffer.from(JSON.stringify(context));
  const known = { KeyId: AWS_ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  if (target === 'TrentService.Encrypt') {
    const sealed = seal(key, base64(body['Plaintext']), aad);
    return { status: 200, body: { ...known, CiphertextBlob: sealed.toString('base64') } };
  }
  if (target !== 'TrentService.Decrypt') return refuse('UnknownOperationException');
  const plain = open(key, base64(body['CiphertextBlob']), aad);
  if (!plain) return refuse('InvalidCiphertextException');
  return { status: 200, body: { ...known, Plaintext: plain.toString('base64') } };
}

export const startAwsKms = () => startKeyService(AWS_TYPE, respondAsAws);

export const GOOGLE_KEY = 'projects/acme/locations/europe/keyRings/svc/cryptoKeys/root';

const refuseGoogle = (code: number, status: string): KeyReply => ({
  status: code,
  body: { error: { code, message: status, status } },
});

function respondAsGoogle(key: Buffer, { request, body }: KeyRequest): KeyReply {
  const [name, operation] = `${request.url}`.replace(/^\/v1\//, '').split(/[:?]/);
  if (request.method !== 'POST' || name !== GOOGLE_KEY) return refuseGoogle(404, 'NOT_FOUND');
  const aad = base64(body['additionalAuthenticatedData'] ?? '');
  if (operation === 'encrypt') {
    const sealed = seal(key, base64(body['plaintext']), aad);
    return {
      status: 200,
      body: { name: `${name}/cryptoKeyVersions/1`, ciphertext: sealed.toString('base64') },
    };
  }
  const plain = open(key, base64(body['ciphertext']), aad);
  if (!plain) return refuseGoogle(400, 'INVALID_ARGUMENT');
  return { status: 200, body: { plaintext: plain.toString('base64') } };
}

export const startGoogleKms = () => startKeyService('application/json', respondAsGoogle);

/** Google's KMS client library, connected to this key service. */
export function googleClient({ url }: KeyService): KeyManagementServiceClient {
  const { hostname, port } = new URL(url);
  const fromClient = createRequire(createRequire(import.meta.url).resolve('@google-cloud/kms'));
  const { PassThroughClient } = createRequire(fromClient.resolve('google-gax'))('google-auth-library');
  return new KeyManagementServiceClient({
    fallback: true,
    protocol: 'http',
    apiEndpoint: hostname,
    port: Number(port),
    authClient: new PassThroughClient(),
  });
}
