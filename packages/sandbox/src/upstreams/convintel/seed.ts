import { type Identify, uuidFrom } from '../../identifiers.js';
import type { Organization, User } from './organization.js';
import type { Region } from './regions.js';
import { seededActivities } from './seed-activities.js';
import { THEMES, USERS } from './seed-data.js';
import { seededRecords } from './seed-records.js';

/** An organization with some weeks of calls, and a longer archive of old ones. */
export function seededOrganization(key: string, region: Region, now: number): Organization {
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
    webhooks: new Map(),
  };
}
