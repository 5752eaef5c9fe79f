import type { Described, DescribedMethod } from './read-descriptions.js';

type Parameters = Readonly<Record<string, Described>>;

const TEXT: Described = { type: 'string', location: 'query' };
const TEXTS: Described = { ...TEXT, repeated: true };
const OWNER: Parameters = { onBehalfOfContentOwner: TEXT };
const OWNED: Parameters = { ...OWNER, onBehalfOfContentOwnerChannel: TEXT };
const PAGED: Parameters = {
  maxResults: { type: 'integer', location: 'query', minimum: '0', maximum: '50' },
  pageToken: TEXT,
};

const made = (id: string, call: string, parameters: Parameters): DescribedMethod => {
  const [httpMethod = '', path = ''] = call.split(' ');
  return { id: `youtube.${id}`, httpMethod, path: `youtube/v3/${path}`, parameters };
};

/** Methods that Google's TypeScript types contain but older API descriptions lack. */
export const MADE_SINCE: Readonly<Record<string, readonly DescribedMethod[]>> = {
  youtube: [
    made('liveBroadcasts.insertCuepoint', 'POST liveBroadcasts/cuepoint', {
      id: TEXT,
      part: TEXTS,
      ...OWNED,
    }),
    made('liveChatMessages.transition', 'POST liveChat/messages/transition', {
      id: TEXT,
      status: { ...TEXT, enum: ['statusUnspecified', 'closed'] },
    }),
    made('playlistImages.list', 'GET playlistImages', { parent: TEXT, part: TEXTS, ...PAGED, ...OWNED }),
    made('playlistImages.insert', 'POST playlistImages', { part: TEXTS, ...OWNED }),
    made('playlistImages.update', 'PUT playlistImages', { part: TEXTS, ...OWNER }),
    made('playlistImages.delete', 'DELETE playlistImages', { id: TEXT, ...OWNER }),
    made('videoTrainability.get', 'GET videoTrainability', { id: TEXT }),
    made('videos.batchGetStats', 'GET videos:batchGetStats', { id: TEXTS, part: TEXTS, ...OWNER }),
  ],
};
