import { type Channel, type Fields, type Subscription, timeOf } from '../world.js';
import type { Call } from './call.js';
import { type PartMakers, presentResource, thumbnails } from './resource.js';

export const SUBSCRIPTION_MAKERS: PartMakers<Subscription> = {
  snippet({ publishedAt, channelId, subscriberId }, { world }) {
    return {
      publishedAt: timeOf(publishedAt),
      ...naming(world.channels.get(channelId)),
      resourceId: { kind: 'youtube#channel', channelId },
      channelId: subscriberId,
    };
  },
  contentDetails({ channelId }, { world }) {
    const videos = [...world.videos.values()].filter(
      (video) => video.channelId === channelId && video.status.privacyStatus === 'public',
    );
    return { totalItemCount: videos.length, newItemCount: 0, activityType: 'all' };
  },
  // Who subscribes is told to the channel that is subscribed to.
  subscriberSnippet({ subscriberId, channelId }, { world, me }) {
    if (channelId !== me.id) return undefined;
    return { ...naming(world.channels.get(subscriberId)), channelId: subscriberId };
  },
};

function naming(channel: Channel | undefined): Fields {
  if (channel === undefined) return {};
  const { title, description, id } = channel;
  return { title, description, thumbnails: thumbnails(`ch/${id}`) };
}

export function presentSubscription(subscription: Subscription, call: Call): Fields {
  return presentResource(subscription, { kind: 'subscription', makers: SUBSCRIPTION_MAKERS, call });
}
