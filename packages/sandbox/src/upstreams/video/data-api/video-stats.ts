import { refuse } from '../refusals.js';
import { READING } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { isVisible, timeOf, type Video } from '../world.js';
import { type Call, type Method, serviceMethods } from './call.js';
import { idsOf, requiredText } from './filters.js';
import { visibleVideo } from './find-video.js';
import { OWNED } from './owner-parameters.js';
import { type PartMakers, partNames, presentResource } from './resource.js';
import { durationOf, presentStatistics } from './video-parts.js';

const MAKERS: PartMakers<Video> = {
  snippet: ({ publishedAt }) => ({ publishTime: timeOf(publishedAt) }),
  contentDetails: ({ seconds }) => ({ duration: durationOf(seconds) }),
  statistics(video, call) {
    const { favoriteCount: _, ...statistics } = presentStatistics(video, call);
    return statistics;
  },
};

/** What is told of videos beside their own resource. */
export const videoStatsMethods: readonly Method[] = [
  ...serviceMethods('Video', '/videos::batchGetStats', {
    BatchGetStats: {
      verb: 'GET',
      scopes: READING,
      parameters: { id: 'texts', ...OWNED },
      parts: partNames(MAKERS),
      partsAreOptional: true,
      handle: batchGetStats,
    },
  }),
  ...serviceMethods('VideoTrainability', '/videoTrainability', {
    Get: {
      scopes: READING,
      parameters: { id: 'text' },
      handle(call) {
        const { id } = visibleVideo(call, requiredText(call, 'id'));
        // Owners allow it in the studio alone, and nobody did.
        return { body: withEtag({ kind: 'youtube#videoTrainability', videoId: id, permitted: ['none'] }) };
      },
    },
  }),
];

function batchGetStats(call: Call) {
  const ids = idsOf(call);
  if (ids.length === 0) throw refuse(400, 'videoIdRequired', 'The request must name videos.');
  const items = ids
    .flatMap((id) => call.world.videos.get(id) ?? [])
    .filter((video) => isVisible(video, call.me))
    .map((video) => presentResource(video, { kind: 'videoStat', makers: MAKERS, call }));
  return { body: withEtag({ kind: 'youtube#batchGetStatsResponse', items }) };
}
