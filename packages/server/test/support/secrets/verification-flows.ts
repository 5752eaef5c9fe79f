import { signInOperator } from '../service/operator.js';
import type { Actions, Flow, World } from './secret-flows.js';

const VERIFY_URL = 'https://acme.example.com/verify';
const OPERATOR = 'admin';

/**
 * Lists requests with two more secrets: the verification id that a browser brings to the verify URL, and the password
 * of an operator. The tests check that these secrets do not leak.
 */
export function verificationsIn(world: World, actions: Actions, password: string): readonly Flow[] {
  const { service, secrets, identifier } = world;

  /** Consents as a user. Returns the verification id that the browser brings to the verify URL. */
  async function reachVerification(): Promise<string> {
    const { url } = await actions.visit('calendar', { stopAt: VERIFY_URL });
    const id = new URL(url).searchParams.get('auth_request_id') ?? '';
    secrets.add('an id of a verification', id);
    return id;
  }
  const verify = (authRequestId: string, user: string) =>
    actions.call('POST', '/v1/accounts/verify', { body: { authRequestId, identifier: user } });

  return [
    {
      title: 'an operator gives a wrong password',
      ends: 401,
      run: () => {
        const body = JSON.stringify({ name: OPERATOR, password: secrets.canary('a wrong password') });
        const headers = { 'content-type': 'application/json' };
        return actions.raw('/operator/v1/session', { method: 'POST', headers, body });
      },
    },
    {
      title: 'an operator sets the verify URL of the application',
      ends: 200,
      run: async () => {
        const operator = await signInOperator({ url: service.url, name: OPERATOR, password });
        secrets.add('the session of an operator', operator.cookie.replace('svc-session=', ''));
        secrets.add('the CSRF token of an operator', operator.csrfToken);
        const { clientId } = service.process();
        return operator.call('PATCH', `/applications/${clientId}`, { body: { verifyUrl: VERIFY_URL } });
      },
    },
    {
      title: 'the application names another user than the link was for',
      ends: 403,
      run: async () => verify(await reachVerification(), `not-${identifier}`),
    },
    {
      title: 'the application names the user of the link',
      ends: 200,
      run: async () => verify(await reachVerification(), identifier),
    },
    {
      title: 'a tool runs after the verification',
      ends: 200,
      run: actions.listCalendars,
    },
    {
      title: 'a verification is left pending',
      ends: 200,
      run: async () => {
        await reachVerification();
        return actions.listCalendars();
      },
    },
    {
      title: 'an id of a verification is invented',
      ends: 404,
      run: () => verify(secrets.canary('an invented id of a verification'), identifier),
    },
  ];
}
