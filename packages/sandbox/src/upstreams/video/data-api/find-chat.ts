import { forbidden, refuse } from '../refusals.js';
import { type Broadcast, type Channel, chatIdOf, type Fields, isVisible, type World } from '../world.js';
import type { Call } from './call.js';

export function visibleChat({ world, me }: Call, chatId: string): Broadcast {
  const broadcast = [...world.broadcasts.values()].find(({ id }) => chatIdOf(id) === chatId);
  if (broadcast !== undefined && isVisible(broadcast, me)) return broadcast;
  throw refuse(404, 'liveChatNotFound', 'The live chat that you are trying to reach cannot be found.');
}

export function checkModerates(call: Call, chat: Broadcast): void {
  if (!isModerator(call.world, chat, call.me.id)) throw forbidden('The chat belongs to another channel.');
}

export function ownChat(call: Call, chatId: string): Broadcast {
  const chat = visibleChat(call, chatId);
  if (chat.channelId === call.me.id) return chat;
  throw forbidden('The chat belongs to another channel.');
}

export function isModerator({ moderators }: World, { id, channelId }: Broadcast, who: string): boolean {
  const chatId = chatIdOf(id);
  return (
    who === channelId ||
    [...moderators.values()].some((one) => one.chatId === chatId && one.moderatorId === who)
  );
}

export function isBanned({ bans, now }: World, chatId: string, who: string): boolean {
  return [...bans.values()].some(
    ({ bannedId, seconds, from, ...ban }) =>
      ban.chatId === chatId && bannedId === who && (seconds === undefined || now() < from + seconds * 1000),
  );
}

export function requiredChannel({ world }: Call, id: string | undefined): Channel {
  if (id === undefined) throw refuse(400, 'channelIdRequired', 'The request must name a channel.');
  const channel = world.channels.get(id);
  if (channel === undefined) throw refuse(404, 'userNotFound', 'The specified channel cannot be found.');
  return channel;
}

export const profileOf = (channel: Channel): Fields => ({
  channelId: channel.id,
  channelUrl: `http://www.youtube.com/channel/${channel.id}`,
  displayName: channel.title,
  profileImageUrl: `https://yt3.ggpht.com/${channel.id}`,
});
