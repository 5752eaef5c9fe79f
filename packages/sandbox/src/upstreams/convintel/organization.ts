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
  /** Account of the participant. Absent for a guest from outside the organization. */
  readonly user?: User;
}

/** Uninterrupted speech of one participant. Times are in seconds from the start of the recording. */
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
  /** Summary text. Null if the recording contains nothing to summarize. Absent if the upload requested none. */
  readonly summary?: string | null;
  readonly actionItems?: readonly string[] | null;
}

export interface Activity {
  readonly id: string;
  readonly type: string;
  readonly activityType: string;
  readonly title: string;
  /**
   * Stored status of a message, or of a call without an analysis. Other calls derive their status from the analysis.
   */
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
  /** Analysis of the recording. Absent if the activity has no recording. */
  readonly analysis?: Analysis;
  /** True if the service cannot build the record of this activity. Lists then return its id under `failed`. */
  readonly isBroken?: boolean;
}

export interface Webhook {
  readonly id: string;
  readonly external_id: string | null;
  readonly trigger: WebhookTrigger;
  readonly url: string;
}
