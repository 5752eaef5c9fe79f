import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isObject, parseJson } from '../../json.js';
import type { AuthorizationServer, OAuthReply } from '../../oauth/authorization-server.js';

export type Form = Readonly<Record<string, string>>;
export interface FormResult {
  readonly form: Form;
  readonly refusal?: OAuthReply;
}

/** The JSON body and the Basic credentials of a request as the form that the authorization server reads. */
export function readForm(request: FastifyRequest, allowed: readonly string[]): FormResult {
  const client = basicCredentials(request.headers.authorization);
  if (client === undefined) return refuse(401, 'invalid_client', 'Client credentials are missing.');
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  const body = isJson ? parseJson(text) : undefined;
  if (!isObject(body)) return refuse(400, 'invalid_request', 'The body has to be a JSON object.');
  const unknown = Object.keys(body).find((key) => !allowed.includes(key));
  if (unknown !== undefined) return refuse(400, 'invalid_request', `body.${unknown} should be not present.`);
  const texts = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { form: { ...Object.fromEntries(texts), ...client } };
}

const TOKEN_KEYS = [
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'code_verifier',
  'external_account',
];

/** A token request; the redirect URI has to be there exactly when the authorization URL had one. */
export async function readTokenForm(
  server: AuthorizationServer,
  request: FastifyRequest,
): Promise<FormResult> {
  const result = readForm(request, TOKEN_KEYS);
  const { form } = result;
  if (result.refusal !== undefined || form.grant_type !== 'authorization_code') return result;
  const code = await server.provider.AuthorizationCode.find(form.code ?? '', { ignoreExpiration: true });
  const approval = server.approvals.get(code?.grantId ?? '');
  if (approval === undefined) return result;
  const wasSent = approval.params.redirect_uri_sent === 'true';
  if (wasSent === (form.redirect_uri !== undefined)) return result;
  const rule = wasSent
    ? 'should be defined, the authorization URL had it'
    : 'should be not present, the authorization URL had none';
  return refuse(400, 'invalid_request', `body.redirect_uri ${rule}.`);
}

function refuse(status: number, error: string, description: string): FormResult {
  return { form: {}, refusal: oauthFailure(status, { error, error_description: description }) };
}

// The API description and the guide disagree on the form of token errors, so the answer carries both.
export function oauthFailure(
  status: number,
  { error, error_description: description }: Record<string, unknown>,
): OAuthReply {
  const message = description ?? error;
  return {
    status,
    body: {
      object: 'error',
      status,
      code: error,
      message,
      error,
      error_description: message,
      request_id: randomUUID(),
    },
  };
}

// The two halves are taken as they are: this service does not url-decode them.
function basicCredentials(
  header: string | undefined,
): { client_id: string; client_secret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return secret.length === 0 ? undefined : { client_id: id, client_secret: secret.join(':') };
}
