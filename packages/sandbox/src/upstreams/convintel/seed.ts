import { type Identify, uuidFrom } from '../../identifiers.js';
import type { Activity, Analysis, Participant, Segment, User, Webhook } from './organization.js';
import type { Region } from './regions.js';
import { DEMONSTRATION, THEMES, USERS } from './seed-data.js';

export type Organization = ReturnType<typeof seededOrganization>;
export type Theme = Organization['themes'][number];
export type CallScore = Organization['scores'][number];

export function seededOrganization(key: string, region: Region, now: number) {
  const identify: Identify = (text) => uuidFrom(`${key} ${text}`);
  const users = USERS.map((user): User => ({ ...user, id: identify(user.email) }));
  const activities = seededActivities(users, identify, now);
  return {
    id: identify('organization'),
    region,
    users,
    themes: THEMES.map(({ topics, ...theme }) => ({
      id: identify(theme.name),
      name: theme.name,
      topics: topics.map((topic) => ({ id: identify(topic.name), ...topic })),
    })),
    activities: new Map(activities.map((activity) => [activity.id, activity])),
    ...seededRecords(activities, users, identify),
    webhooks: new Map<string, Webhook>(),
  };
}

const HOUR = 3_600_000;

function seededRecords(
  activities: readonly Activity[],
  [ada, grace, mary]: readonly User[],
  identify: Identify,
) {
  const noted = [activities[0], activities.at(-1)].filter((activity) => activity !== undefined);
  if (ada === undefined || grace === undefined || mary === undefined)
    throw new Error('Three users are seeded.');
  const base = (kind: string, activity: Activity, hours: number) => ({
    id: identify(`${kind} ${activity.id}`),
    activityId: activity.id,
    createdAt: activity.startedAt + hours * HOUR,
  });
  return {
    scores: noted.map((activity, index) => ({
      ...base('score', activity, 1),
      activityType: activity.activityType,
      user: activity.host,
      score: 4 - index,
    })),
    feedback: noted.map((activity, index) => ({
      ...base('feedback', activity, 2),
      coachId: index === 0 ? mary.id : grace.id,
      coacheeId: activity.host.id,
      score: 5 - index,
    })),
    comments: noted.map((activity, index) => ({
      ...base('comment', activity, 3),
      userId: index === 0 ? grace.id : mary.id,
      comment: 'Good question at the start.',
    })),
    listens: noted.map((activity, index) => ({
      ...base('listen', activity, 4),
      userId: index === 0 ? mary.id : ada.id,
    })),
  };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Number of seeded old activities, enough for more than one page of results. */
const ARCHIVED = 520;

type Draft = Partial<Activity> & Pick<Activity, 'title' | 'startedAt'>;

function seededActivities(users: readonly User[], identify: Identify, now: number): Activity[] {
  const [ada, grace] = users;
  if (ada === undefined || grace === undefined) return [];
  const activity = (draft: Draft, host = ada): Activity => ({
    id: identify(draft.title),
    type: 'conference',
    activityType: 'Discovery call',
    host,
    participants: [participantOf(host, identify), guest(identify), null],
    seconds: 1800,
    createdAt: draft.startedAt,
    language: 'en_GB',
    ...draft,
  });
  return [
    activity(demonstration(identify, now)),
    ...unfinishedCalls(identify, now).map((draft) => activity(draft)),
    ...oddCalls(now).map((draft) => activity(draft)),
    ...messages(now).map((draft) =>
      activity({ type: 'sms', activityType: 'Text message', seconds: 0, ...draft }, grace),
    ),
    ...Array.from({ length: ARCHIVED }, (_, index) =>
      activity({
        title: `Archived call ${index + 1}`,
        type: 'softphone',
        status: 'completed',
        startedAt: now - 60 * DAY - index * 4 * 60 * MINUTE,
      }),
    ),
  ];
}

const participantOf = (user: User, identify: Identify): Participant => ({
  id: identify(`participant ${user.email}`),
  name: user.name,
  user,
});

const guest = (identify: Identify): Participant => ({ id: identify('participant guest'), name: 'Ben Buyer' });

function demonstration(identify: Identify, now: number): Draft {
  const startedAt = now - DAY;
  return {
    title: 'Engine demonstration',
    startedAt,
    accountId: '0015000000eng01',
    opportunityId: '0065000000eng01',
    analysis: {
      ...analysedAt(startedAt),
      segments: conversation(identify),
      summary: 'Ben needs tables without errors. The budget is fixed; an offer follows by Friday.',
      actionItems: ['Ada sends an offer with a discount by Friday.'],
    },
  };
}

function unfinishedCalls(identify: Identify, now: number): Draft[] {
  const segments = conversation(identify).slice(0, 2);
  const rest = { segments, summary: 'A first talk.', actionItems: ['Talk again.'] };
  return [
    {
      title: 'Call that has just ended',
      startedAt: now - 40 * MINUTE,
      analysis: { transcribedAt: now - 5 * MINUTE, finishedAt: now + 10 * MINUTE, ...rest },
    },
    {
      title: 'Call that goes on',
      startedAt: now - 5 * MINUTE,
      analysis: { transcribedAt: now + 25 * MINUTE, finishedAt: now + 30 * MINUTE, ...rest },
    },
  ];
}

function oddCalls(now: number): Draft[] {
  const short = now - 20 * DAY;
  const silent = now - 21 * DAY;
  return [
    {
      title: 'Call without an analysis',
      startedAt: short,
      analysis: { ...analysedAt(short), segments: [] },
    },
    {
      title: 'Call in silence',
      startedAt: silent,
      analysis: { ...analysedAt(silent), segments: [], summary: null, actionItems: null },
    },
    { title: 'Call that cannot be shown', startedAt: now - 4 * DAY, status: 'completed', isBroken: true },
  ];
}

function messages(now: number): Draft[] {
  return (['received', 'sent', 'delivered'] as const).map((status, index) => ({
    title: `Message, ${status}`,
    status,
    startedAt: now - 3 * DAY + index * MINUTE,
  }));
}

function analysedAt(startedAt: number): Pick<Analysis, 'transcribedAt' | 'finishedAt'> {
  return { transcribedAt: startedAt + 40 * MINUTE, finishedAt: startedAt + 45 * MINUTE };
}

function conversation(identify: Identify): Segment[] {
  const speakers = [identify('participant ada@example.com'), identify('participant guest')] as const;
  return DEMONSTRATION.map(([speaker, transcript], index) => ({
    startsAt: index * 6.5,
    endsAt: index * 6.5 + 5.25,
    participantId: speakers[speaker],
    transcript,
  }));
}
