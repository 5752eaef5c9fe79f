import { REDIRECT_URI, type SigningApplication } from './give-access.ts';
import type { Operator } from './operator.ts';

/** An application with an MCP client. */
export interface AgentApplication extends SigningApplication {
  readonly clientId: string;
}

/** Sets the sign-in URL of an application, and adds an MCP client. */
export async function openAgents(
  { call }: Operator,
  application: SigningApplication,
  name: string,
): Promise<AgentApplication> {
  const below = `/applications/${application.applicationId}`;
  await call('PUT', `${below}/agent-access`, { signInUrl: 'https://app.example.com/agent-sign-in' });
  const { id } = await call<{ id: string }>('POST', `${below}/agent-clients`, {
    name,
    redirectUris: [REDIRECT_URI],
  });
  return { ...application, clientId: id };
}

/** Creates an application with a sign-in URL and an MCP client. */
export async function newAgents(operator: Operator, url: string): Promise<AgentApplication> {
  const { id, clientSecret } = await operator.call<{ id: string; clientSecret: string }>(
    'POST',
    '/applications',
    { name: `With agents ${crypto.randomUUID().slice(0, 8)}` },
  );
  return openAgents(operator, { url, applicationId: id, clientSecret }, 'Desk helper');
}
