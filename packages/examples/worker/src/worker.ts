import { calendar, createClient, isServiceError } from '@svc/calendar';

interface Env {
  readonly SVC_ENVIRONMENT_URL: string;
  readonly SVC_CLIENT_ID: string;
  readonly SVC_CLIENT_SECRET: string;
}

/** Replace this constant by the id of the user in your session. */
const user = { connectionName: 'calendar', identifier: 'user_42' };

async function handle(request: Request, env: Env): Promise<Response> {
  const svc = createClient({
    environmentUrl: env.SVC_ENVIRONMENT_URL,
    clientId: env.SVC_CLIENT_ID,
    clientSecret: env.SVC_CLIENT_SECRET,
  });
  const tools = calendar(svc, user);
  const { pathname } = new URL(request.url);
  if (pathname !== '/events') return Response.json({ error: 'Use GET or POST /events' }, { status: 404 });
  try {
    if (request.method === 'POST') {
      const { summary, start } = (await request.json()) as { summary: string; start: string };
      const { data } = await tools.createEvent({ summary, start_datetime: start });
      return Response.json({ id: data.id }, { status: 201 });
    }
    const { data } = await tools.listEvents({ calendar_id: 'primary', max_results: 10 });
    return Response.json(data.items.map(({ id, summary }) => ({ id, summary })));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error.code !== 'account_not_authorized')
      return Response.json({ error: error.message }, { status: 502 });
    const { link } = await svc.getAuthorizationLink(user);
    return Response.json({ error: 'Connect your calendar', link }, { status: 401 });
  }
}

export default { fetch: handle };
