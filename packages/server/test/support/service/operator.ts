import { type CallOptions, fetchReply, type Reply } from './application.js';

export interface OperatorCredentials {
  readonly url: string;
  readonly name: string;
  readonly password: string;
}

/** Session of a signed-in operator, and a function that sends HTTP requests with it. */
export interface SignedInOperator {
  /** Value of the `Cookie` header. */
  readonly cookie: string;
  readonly csrfToken: string;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Reply>;
}

export async function signInOperator(given: OperatorCredentials): Promise<SignedInOperator> {
  const { url, name, password } = given;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, password });
  const reply = await fetchReply(`${url}/operator/v1/session`, { method: 'POST', headers: json, body });
  if (reply.status !== 200) throw new Error(`The sign-in ended with ${reply.status}: ${reply.text}`);
  const { csrfToken } = reply.json<{ csrfToken: string }>();
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return {
    cookie,
    csrfToken,
    call: (method, path, { body: sent, headers = {} } = {}) =>
      fetchReply(`${url}/operator/v1${path}`, {
        method,
        headers: {
          cookie,
          origin: url,
          'svc-csrf': csrfToken,
          ...(sent === undefined ? {} : json),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      }),
  };
}
