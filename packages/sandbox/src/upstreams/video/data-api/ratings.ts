import type { Outcome } from '../../../google/method.js';
import { missingParameter, refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import type { Rating } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { idsOf, requiredText } from './filters.js';
import { visibleVideo } from './find-video.js';
import { OWNED } from './owner-parameters.js';

const RATINGS = ['like', 'dislike'] as const;

export const ratingMethods = serviceMethods('Video', '/videos/getRating', {
  GetRating: { scopes: READING, parameters: { id: 'texts', ...OWNED }, needs: ['id'], handle: getRating },
  Rate: {
    path: '/videos/rate',
    scopes: WRITING,
    parameters: { id: 'text', rating: { words: ['none', ...RATINGS] } },
    needs: ['id', 'rating'],
    handle: rate,
  },
});

function getRating(call: Call): Outcome {
  const { world, me } = call;
  const ids = idsOf(call);
  if (ids.length === 0) throw missingParameter('id');
  const items = ids.map((id) => {
    const video = visibleVideo(call, id);
    return { videoId: video.id, rating: world.ratings.get(me.id)?.get(video.id) ?? 'none' };
  });
  return { body: withEtag({ kind: 'youtube#videoGetRatingResponse', items }) };
}

function rate(call: Call): Outcome {
  const { world, me } = call;
  const rating = call.parameters.choice('rating', RATINGS);
  const video = visibleVideo(call, requiredText(call, 'id'));
  if (!video.takesRatings)
    throw refuse(403, 'videoRatingDisabled', 'The owner of the video has disabled ratings for that video.');
  const mine = world.ratings.get(me.id) ?? new Map<string, Rating>();
  if (rating === undefined) mine.delete(video.id);
  else mine.set(video.id, rating);
  world.ratings.set(me.id, mine);
  return { status: 204 };
}
