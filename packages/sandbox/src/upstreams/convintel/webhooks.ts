import { randomUUID } from 'node:crypto';
import { invalid, notFound, required } from './api-error.js';
import { type Call, created, type Endpoint, nothing, type Outcome, ok } from './call.js';
import { WEBHOOK_TRIGGERS, type Webhook, type WebhookTrigger } from './organization.js';
import { readChoice, readUuid } from './parameters.js';
import { iso, presentActivity } from './present-activity.js';
import type { Organization } from './seed.js';
import { isLoopback } from './send-webhooks.js';

const MAX_LENGTH = 191;

export const webhookEndpoints: readonly Endpoint[] = [
  { verb: 'POST', path: '/webhooks', handle: create },
  { verb: 'DELETE', path: '/webhooks/:id', handle: remove },
  {
    verb: 'GET',
    path: '/webhooks/sample',
    handle: ({ organization, parameters, now }) =>
      ok(samplePayload(readTrigger(parameters.text('trigger')), organization, now)),
  },
];

function create(call: Call): Outcome {
  const body = call.json();
  const webhook: Webhook = {
    id: randomUUID(),
    external_id: body['external_id'] === undefined ? null : readText(body, 'external_id'),
    trigger: readTrigger(readText(body, 'trigger')),
    url: readUrl(body),
  };
  call.organization.webhooks.set(webhook.id, webhook);
  return created(webhook);
}

function remove({ organization, id }: Call): Outcome {
  if (!organization.webhooks.delete(readUuid('id', id) ?? '')) throw notFound('Webhook');
  return nothing;
}

function readTrigger(value: string | undefined): WebhookTrigger {
  const trigger = readChoice('trigger', value, WEBHOOK_TRIGGERS);
  if (trigger === undefined) throw required('trigger');
  return trigger;
}

/** Reads the address. Unlike the real service, the sandbox also accepts http on this machine. */
function readUrl(body: Readonly<Record<string, unknown>>): string {
  const url = readText(body, 'url');
  if (URL.parse(url)?.protocol !== 'https:' && !isLoopback(url))
    throw invalid('url', 'The url must be a valid https URL.');
  return url;
}

function readText(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  if (value === undefined || value === null || value === '') throw required(field);
  if (typeof value !== 'string') throw invalid(field, `The ${field} must be a string.`);
  if (value.length > MAX_LENGTH)
    throw invalid(field, `The ${field} may not be greater than ${MAX_LENGTH} characters.`);
  return value;
}

/** Returns the trigger of this name. Throws if the service has none. */
export function findTrigger(name: string): WebhookTrigger {
  const trigger = WEBHOOK_TRIGGERS.find((known) => known === name);
  if (trigger !== undefined) return trigger;
  throw new Error(`There is no trigger "${name}". Use one of: ${WEBHOOK_TRIGGERS.join(', ')}.`);
}

/** Builds the payload of a trigger. Default of `activity`: the first activity of the organization. */
export function samplePayload(
  trigger: WebhookTrigger,
  organization: Organization,
  now: number,
  activity = [...organization.activities.values()][0],
): object {
  const [feedback] = organization.feedback;
  const [user] = organization.users;
  const event = { trigger, triggeredAt: iso(now) };
  if (trigger === 'coaching_feedback_completed')
    return { ...event, feedback: feedback && { ...feedback, createdAt: iso(feedback.createdAt) } };
  return {
    ...event,
    activity: activity && presentActivity(activity, organization, now),
    ...(trigger === 'conversation_processed' ? {} : { user: user && { id: user.id, email: user.email } }),
  };
}
