import type { Clock } from '../../clock.js';
import { DAY } from '../../zoned-time.js';
import { addSystemJob } from './add-system-job.js';
import { CHANNELS, FIRST_DAY, VIDEOS } from './seed-data.js';
import { addSeededPlaylists } from './seed-playlists.js';
import { addSeededTalk } from './seed-talk.js';
import { createWorld, timeOf, type World } from './world.js';

/** Two people with their channels and two channels of others, with what they made and said. */
export function seededWorld(clock: Clock): World {
  const world = createWorld(clock);
  for (const channel of CHANNELS) world.channels.set(channel.id, channel);
  addVideos(world);
  addSeededPlaylists(world);
  addSeededTalk(world);
  addSystemJob(world);
  return world;
}

function addVideos({ videos, now }: World): void {
  VIDEOS.forEach(({ privacy = 'public', status, ...video }, index) => {
    const scheduled = video.wasPublished === false ? { publishAt: timeOf(now() + 7 * DAY) } : {};
    videos.set(video.id, {
      publishedAt: FIRST_DAY + (10 + index) * DAY,
      likes: Math.floor(video.views / 20),
      takesRatings: true,
      takesComments: true,
      recordingDetails: {},
      localizations: {},
      paidProductPlacementDetails: {},
      wasPublished: true,
      ...video,
      status: {
        license: 'youtube',
        embeddable: true,
        publicStatsViewable: true,
        ...scheduled,
        ...status,
        privacyStatus: privacy,
      },
    });
  });
}
