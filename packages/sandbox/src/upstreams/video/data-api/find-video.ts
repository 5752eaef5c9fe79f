import { forbidden, refuse } from '../refusals.js';
import { isVisible, type Video } from '../world.js';
import type { Call } from './call.js';

export function visibleVideo({ world, me }: Call, id: string): Video {
  const video = world.videos.get(id);
  if (video !== undefined && isVisible(video, me)) return video;
  throw refuse(404, 'videoNotFound', 'The video that you are trying to reach cannot be found.');
}

export function ownVideo(call: Call, id: string): Video {
  const video = visibleVideo(call, id);
  if (video.channelId !== call.me.id) throw forbidden();
  return video;
}
