export type ActivityStatus = (typeof ACTIVITY_STATUSES)[number];
export const ACTIVITY_STATUSES = ['in-progress', 'completed', 'received', 'sent', 'delivered'] as const;

export const WEBHOOK_TRIGGERS = [
  'coaching_feedback_completed',
  'conversation_shared',
  'conversation_exported',
  'conversation_processed',
  'conversation_played',
] as const;
export type WebhookTrigger = (typeof WEBHOOK_TRIGGERS)[number];

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'inactive';
  readonly teamName: string;
  readonly crmId: string | null;
  readonly role: string;
}

export interface Participant {
  readonly id: string;
  readonly name: string;
  /** Absent for a guest. */
  readonly user?: User;
}

/** One turn of a speaker; times in seconds from the start. */
export interface Segment {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly participantId: string;
  readonly transcript: string;
}

export interface Analysis {
  readonly transcribedAt: number;
  readonly finishedAt: number;
  readonly segments: readonly Segment[];
  /** Null when there was nothing to sum up; absent when none was asked for. */
  readonly summary?: string | null;
  readonly actionItems?: readonly string[] | null;
}

export interface Activity {
  readonly id: string;
  readonly type: string;
  readonly activityType: string;
  readonly title: string;
  /** Status of a message, and of a call without an analysis. The status of other calls follows from their analysis. */
  readonly status?: ActivityStatus;
  readonly host: User;
  readonly participants: readonly (Participant | null)[];
  readonly startedAt: number;
  readonly seconds: number;
  readonly createdAt: number;
  readonly language: string;
  readonly accountId?: string;
  readonly leadId?: string;
  readonly opportunityId?: string;
  readonly externalId?: string;
  /** Absent when nothing was recorded. */
  readonly analysis?: Analysis;
  /** The service cannot build its record. */
  readonly isBroken?: boolean;
}

export interface Webhook {
  readonly id: string;
  readonly external_id: string | null;
  readonly trigger: WebhookTrigger;
  readonly url: string;
}
