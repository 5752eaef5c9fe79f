import type { Activity, ActivityStatus, Participant } from './organization.js';
import type { Organization } from './seed.js';

/** Returns the current status of an activity. Calls stay `in-progress` until their transcript exists. */
export function statusOf({ status, analysis }: Activity, now: number): ActivityStatus {
  if (status !== undefined) return status;
  return analysis !== undefined && analysis.transcribedAt <= now ? 'completed' : 'in-progress';
}

export function updatedAt({ createdAt, analysis }: Activity, now: number): number {
  const steps = [analysis?.transcribedAt ?? 0, analysis?.finishedAt ?? 0].filter((step) => step <= now);
  return Math.max(createdAt, ...steps);
}

export function presentActivity(activity: Activity, organization: Organization, now: number) {
  const { id, type, activityType, title, host, seconds, language } = activity;
  const ofActivity = <Item extends { readonly activityId: string }>(items: readonly Item[]) =>
    items.filter(({ activityId }) => activityId === id);
  return {
    id,
    type,
    activityType,
    title,
    language,
    status: statusOf(activity, now),
    createdAt: iso(activity.createdAt),
    updatedAt: iso(updatedAt(activity, now)),
    scheduledStartTime:
      type === 'conference' ? iso(Math.floor(activity.startedAt / 900_000) * 900_000) : null,
    actualStartTime: iso(activity.startedAt),
    durationForHumans: duration(seconds),
    averageScore: average(ofActivity(organization.scores).map(({ score }) => score)),
    organizer: { name: host.name, email: host.email },
    participants: activity.participants.map(presentParticipant),
    crmUrl: activity.opportunityId === undefined ? null : `https://crm.example.com/${activity.opportunityId}`,
    account: activity.accountId === undefined ? null : { id: activity.accountId },
    opportunity: activity.opportunityId === undefined ? null : { id: activity.opportunityId },
    externalId: activity.externalId ?? null,
    comments: ofActivity(organization.comments).map(({ comment }) => comment),
    coachingFeedback: ofActivity(organization.feedback).map(({ score }) => ({ score })),
  };
}

function presentParticipant(participant: Participant | null) {
  if (participant === null) return null;
  const { id, name, user } = participant;
  return { id, name, user: user === undefined ? null : { teamName: user.teamName } };
}

/** Formats a time as ISO 8601 with a UTC offset. Requests use another format, without an offset. */
export const iso = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}+00:00`;

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

function average(scores: readonly number[]): number | null {
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
