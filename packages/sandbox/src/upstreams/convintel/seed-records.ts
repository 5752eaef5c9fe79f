import type { Identify } from '../../identifiers.js';
import type { Activity, Organization, User } from './organization.js';

const HOUR = 3_600_000;

type Records = Pick<Organization, 'scores' | 'feedback' | 'comments' | 'listens'>;

/** What people and the service noted on the demonstration and on an archived call. */
export function seededRecords(
  activities: readonly Activity[],
  [ada, grace, mary]: readonly User[],
  identify: Identify,
): Records {
  const noted = [activities[0], activities.at(-1)].filter((activity) => activity !== undefined);
  if (ada === undefined || grace === undefined || mary === undefined)
    return { scores: [], feedback: [], comments: [], listens: [] };
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
