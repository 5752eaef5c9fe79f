import { ignored, NAMING, record, text, textOf, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { MANAGING, VIEWING } from '../scopes.js';
import { type Ban, type Broadcast, type Fields, type Moderator, newLiveId } from '../world.js';
import type { Call } from './call.js';
import { requiredText } from './filters.js';
import {
  checkModerates,
  isModerator,
  ownChat,
  profileOf,
  requiredChannel,
  visibleChat,
} from './find-chat.js';
import { methodsOf } from './owned-resource.js';
import { PAGED } from './resource.js';

const PROFILE = record({ channelId: text }, 'channelUrl displayName profileImageUrl');

const profileById = (id: string, { world }: Call): Fields => {
  const channel = world.channels.get(id);
  return channel === undefined ? {} : profileOf(channel);
};

function chatIdIn(snippet: Fields): string {
  const chatId = textOf(snippet, 'liveChatId');
  if (chatId === undefined) throw refuse(400, 'liveChatIdRequired', 'The request must name a live chat.');
  return chatId;
}

const moderators = methodsOf<Moderator>({
  service: 'LiveChatModerator',
  path: '/liveChat/moderators',
  kind: 'liveChatModerator',
  makers: {
    snippet: ({ chatId, moderatorId }, call) => ({
      liveChatId: chatId,
      moderatorDetails: profileById(moderatorId, call),
    }),
  },
  reading: VIEWING,
  writing: MANAGING,
  body: record({ ...NAMING, snippet: record({ liveChatId: text, moderatorDetails: PROFILE }) }),
  missing: 'liveChatModeratorNotFound',
  itemsOf: (world) => world.moderators,
  list: {
    parameters: { liveChatId: 'text', ...PAGED },
    needs: ['liveChatId'],
    size: 5,
    find(call) {
      const chatId = requiredText(call, 'liveChatId');
      ownChat(call, chatId);
      return [...call.world.moderators.values()].filter((one) => one.chatId === chatId);
    },
  },
  insert(call) {
    const snippet = within(call.body, 'snippet');
    const chatId = chatIdIn(snippet);
    const chat = ownChat(call, chatId);
    const { id } = requiredChannel(call, textOf(within(snippet, 'moderatorDetails'), 'channelId'));
    if (isModerator(call.world, chat, id))
      throw refuse(400, 'moderatorDuplicate', 'The channel moderates the chat already.');
    return { id: newLiveId(), channelId: chat.channelId, chatId, moderatorId: id };
  },
  remove: () => {},
});

const LONGEST_BAN = 365 * 24 * 3600;
const SHORT_BAN = 300;

const bans = methodsOf<Ban>({
  service: 'LiveChatBan',
  path: '/liveChat/bans',
  kind: 'liveChatBan',
  makers: {
    snippet: ({ chatId, bannedId, seconds }, call) => ({
      liveChatId: chatId,
      type: seconds === undefined ? 'permanent' : 'temporary',
      ...(seconds === undefined ? {} : { banDurationSeconds: String(seconds) }),
      bannedUserDetails: profileById(bannedId, call),
    }),
  },
  reading: VIEWING,
  writing: MANAGING,
  body: record({
    ...NAMING,
    snippet: record({
      liveChatId: text,
      type: word('permanent', 'temporary'),
      banDurationSeconds: ignored,
      bannedUserDetails: PROFILE,
    }),
  }),
  missing: 'liveChatBanNotFound',
  itemsOf: (world) => world.bans,
  insert: insertBan,
  remove: () => {},
  mayRemove: (call, ban) => isModerator(call.world, visibleChat(call, ban.chatId), call.me.id),
});

function insertBan(call: Call): Ban {
  const snippet = within(call.body, 'snippet');
  const chatId = chatIdIn(snippet);
  const chat: Broadcast = visibleChat(call, chatId);
  checkModerates(call, chat);
  const type = textOf(snippet, 'type');
  if (type === undefined) throw refuse(400, 'banTypeRequired', 'The ban must have a type.');
  const { id } = requiredChannel(call, textOf(within(snippet, 'bannedUserDetails'), 'channelId'));
  if (isModerator(call.world, chat, id))
    throw refuse(
      403,
      'liveChatBanInsertionNotAllowed',
      'The owner and the moderators of a chat cannot be banned.',
    );
  const whole = { id: newLiveId(), channelId: chat.channelId, chatId, bannedId: id, from: call.world.now() };
  return type === 'permanent' ? whole : { ...whole, seconds: secondsOf(snippet) };
}

function secondsOf({ banDurationSeconds }: Fields): number {
  const seconds = Number(banDurationSeconds ?? SHORT_BAN);
  if (Number.isInteger(seconds) && seconds > 0 && seconds <= LONGEST_BAN) return seconds;
  throw refuse(400, 'invalidBanDuration', 'The ban is too short or too long.');
}

export const liveChatPeopleMethods = [...moderators, ...bans];
