/** A signed-in operator who calls the operator API. */
export interface Operator {
  readonly cookie: { readonly name: string; readonly value: string };
  readonly call: <Result>(method: string, path: string, body?: unknown) => Promise<Result>;
}

interface SignIn {
  readonly url: string;
  readonly name?: string;
  readonly password: string;
}

const JSON_BODY = { 'content-type': 'application/json' };

async function bodyOf(response: Response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} responded with status ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Signs in by password. The `path` of `call` is relative to `/operator/v1`. */
export async function signIn({ url, name = 'admin', password }: SignIn): Promise<Operator> {
  const signedIn = await fetch(`${url}/operator/v1/session`, {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ name, password }),
  });
  const [, cookieName = '', value = ''] =
    /^([^=]+)=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '') ?? [];
  const { csrfToken } = await bodyOf(signedIn);
  const headers = { ...JSON_BODY, cookie: `${cookieName}=${value}`, origin: url, 'svc-csrf': csrfToken };
  return {
    cookie: { name: cookieName, value },
    call: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return bodyOf(await fetch(`${url}/operator/v1${path}`, { method, headers, ...sent }));
    },
  };
}
