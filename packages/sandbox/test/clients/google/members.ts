import type { youtube_v3 } from '@googleapis/youtube';
import type { GoogleOperation } from './operation.js';

const part = ['snippet'];

/** OAuth scope of the membership operations, which the connector does not request. */
export const MEMBERS_SCOPE = 'https://www.googleapis.com/auth/youtube.channel-memberships.creator';

/** Operations on the members of a channel and their payments. */
export const members: readonly GoogleOperation<youtube_v3.Youtube>[] = [
  {
    name: 'membershipsLevels.list',
    call: ({ api, at }) => at((o) => api.membershipsLevels.list({ part }, o)),
    gives: { items: [{}, {}] },
    saves: { level: 'items.1.id' },
  },
  {
    name: 'members.list',
    call: ({ api, at }) => at((o) => api.members.list({ part, mode: 'all_current', maxResults: 1 }, o)),
    gives: { kind: 'youtube#memberListResponse', items: [{}] },
    saves: { more: 'nextPageToken' },
  },
  {
    name: 'members.list, the next page',
    call: ({ api, at }, id) =>
      at((o) => api.members.list({ part, mode: 'all_current', maxResults: 1, pageToken: id('more') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'members.list, of a level',
    call: ({ api, at }, id) => at((o) => api.members.list({ part, hasAccessToLevel: id('level') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'members.list, of no level',
    call: ({ api, at }) => at((o) => api.members.list({ part, hasAccessToLevel: 'none' }, o)),
    throws: { code: 400 },
  },
];
