import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { PEOPLE, type Person, personById } from '../person.js';
import type { AuthorizationServer } from './authorization-server.js';
import { escapeHtml, page } from './page.js';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export function addConsentRoutes(
  app: FastifyInstance,
  server: AuthorizationServer,
  serviceTitle: string,
): void {
  app.get('/_consent/:uid', async (request, reply) => {
    const interaction = await interactionOf(server, request, reply);
    if (interaction === undefined) return expired(reply);
    return html(reply, 200, await render(server, { interaction, serviceTitle, action: request.url }));
  });

  app.post('/_consent/:uid', async (request, reply) => {
    const interaction = await interactionOf(server, request, reply);
    if (interaction === undefined) return expired(reply);
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const result =
      form.get('decision') === 'allow' ? await allow(server, interaction, form) : { error: 'access_denied' };
    const returnTo = await server.provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: false,
    });
    return reply.redirect(returnTo, 303);
  });
}

async function interactionOf(
  server: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction | undefined> {
  try {
    return await server.provider.interactionDetails(request.raw, reply.raw);
  } catch {
    // The interaction cookie is missing, or the consent is already finished. The caller shows a page that explains
    // this.
    return undefined;
  }
}

function html(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
    .send(body);
}

function expired(reply: FastifyReply): FastifyReply {
  return html(
    reply,
    400,
    page(
      'Start again',
      '<h1>Start again</h1><p>This authorization has expired, or you opened it in another browser. Start again in the app.</p>',
    ),
  );
}

async function render(
  { provider, profile }: AuthorizationServer,
  { interaction, serviceTitle, action }: { interaction: Interaction; serviceTitle: string; action: string },
): Promise<string> {
  const client = await provider.Client.find(String(interaction.params.client_id));
  const hint = interaction.params.login_hint;
  const hinted = PEOPLE.find((person) => person.id === hint || person.email === hint);
  return consentPage({
    action,
    clientName: client?.clientName ?? 'An application',
    serviceTitle,
    people: PEOPLE,
    chosen: (hinted ?? PEOPLE[0]).id,
    scopes:
      profile.rights === undefined
        ? requestedScopes(interaction).map((scope) => [scope, profile.scopes[scope] ?? scope])
        : [],
    rights: profile.rights ?? [],
  });
}

function requestedScopes({ params }: Interaction): string[] {
  return typeof params.scope === 'string' ? params.scope.split(' ') : [];
}

async function allow(server: AuthorizationServer, interaction: Interaction, form: URLSearchParams) {
  const { provider, profile, consents } = server;
  const person = personById(form.get('user') ?? '');
  if (person === undefined) return { error: 'access_denied' };
  const clientId = String(interaction.params.client_id);
  const earlier = consents.between(clientId, person.id);
  const request = {
    params: interaction.params,
    returning: earlier.some((consent) => consent.refreshToken),
  };

  const requested = requestedScopes(interaction);
  const ticked =
    profile.rights === undefined
      ? requested.filter((scope) => form.getAll('scope').includes(scope))
      : requested;
  if (ticked.length === 0) return { error: 'access_denied' };
  const inherited = profile.includesGrantedScopes(request)
    ? earlier.flatMap((consent) => consent.scopes)
    : [];
  const scopes = [...new Set([...ticked, ...inherited])];
  interaction.params.scope = scopes.join(' ');
  await interaction.persist();

  const grant = new provider.Grant({ accountId: person.id, clientId });
  grant.addOIDCScope(scopes.join(' '));
  if (profile.mcp !== undefined) {
    const ofResource = profile.mcp.resourceScopes.filter((scope) => scopes.includes(scope));
    grant.addResourceScope(String(interaction.params.resource), ofResource.join(' '));
  }
  const grantId = await grant.save();
  const refreshToken = profile.issuesRefreshToken(request);
  consents.add({ grantId, clientId, personId: person.id, scopes, refreshToken, params: interaction.params });
  return { login: { accountId: person.id, remember: false }, consent: { grantId }, select_account: {} };
}

interface Consent {
  action: string;
  clientName: string;
  serviceTitle: string;
  people: readonly Person[];
  /** Person whom the page preselects, from the application's `login_hint`. */
  chosen: string;
  /** Scopes that the person may deselect, each with an explanation. */
  scopes: readonly (readonly [scope: string, explanation: string])[];
  rights: readonly string[];
}

function consentPage(consent: Consent): string {
  const title = `${consent.clientName} wants to use your ${consent.serviceTitle}`;
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<form method="post" action="${escapeHtml(consent.action)}">
<fieldset><legend>Continue as</legend>
${consent.people.map((person) => choice(person, consent.chosen)).join('\n')}
</fieldset>
<fieldset><legend>It will be able to</legend>
${consent.scopes.map(scopeBox).join('\n')}${consent.rights.length > 0 ? rightsList(consent.rights) : ''}
</fieldset>
<div class="buttons">
<button type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="allow" autofocus>Allow</button>
</div>
</form>`,
  );
}

function choice(person: Person, chosen: string): string {
  const checked = person.id === chosen ? ' checked' : '';
  return `<label><input type="radio" name="user" value="${person.id}"${checked}> ${escapeHtml(person.name)} <small>${escapeHtml(person.email)}</small></label>`;
}

function scopeBox([scope, explanation]: readonly [string, string]): string {
  const value = escapeHtml(scope);
  return `<label><input type="checkbox" name="scope" value="${value}" checked> <span>${escapeHtml(explanation)}<br><small>${value}</small></span></label>`;
}

function rightsList(rights: readonly string[]): string {
  return `<ul>${rights.map((right) => `<li>${escapeHtml(right)}</li>`).join('')}</ul>`;
}
