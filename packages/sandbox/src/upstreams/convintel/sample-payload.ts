import type { Organization, WebhookTrigger } from './organization.js';
import { iso, presentActivity } from './present-activity.js';

/** An example of what a subscription to the trigger gets, made of the organization's own data. */
export function samplePayload(trigger: WebhookTrigger, organization: Organization, now: number): object {
  const [activity] = organization.activities.values();
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
