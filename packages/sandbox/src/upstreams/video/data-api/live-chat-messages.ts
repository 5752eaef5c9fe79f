import type { Outcome } from '../../../google/method.js';
import { readPageToken, writePageToken } from '../../../google/page-token.js';
import { rules } from '../../../google/parameter-rules.js';
import { ignored, list, NAMING, pick, record, text, textOf, withEtag, within, word } from '../body.js';
import { forbidden, invalidPageToken, refuse } from '../refusals.js';
import { MANAGING, VIEWING } from '../scopes.js';
import { type Broadcast, type ChatMessage, chatIdOf, type Fields, newLiveId, timeOf } from '../world.js';
import { type Call, type Method, serviceMethods } from './call.js';
import { checkLanguage, requiredText } from './filters.js';
import { isBanned, isModerator, profileOf, visibleChat } from './find-chat.js';
import { methodsOf } from './owned-resource.js';
import { type PartMakers, partNames, presentResource } from './resource.js';

const POLLING = 5000;

const POLL = record({
  metadata: record({ questionText: text, options: list(record({ optionText: text, tally: ignored })) }),
  status: ignored,
});

const MAKERS: PartMakers<ChatMessage> = {
  snippet: presentSnippet,
  authorDetails({ channelId, chatId, isDeleted }, call) {
    if (isDeleted) return undefined;
    const author = call.world.channels.get(channelId);
    const chat = visibleChat(call, chatId);
    return {
      ...(author === undefined ? {} : profileOf(author)),
      isVerified: false,
      isChatOwner: channelId === chat.channelId,
      isChatSponsor: false,
      isChatModerator: channelId !== chat.channelId && isModerator(call.world, chat, channelId),
    };
  },
};

const writing = methodsOf<ChatMessage>({
  service: 'LiveChatMessage',
  path: '/liveChat/messages',
  kind: 'liveChatMessage',
  makers: MAKERS,
  reading: VIEWING,
  writing: MANAGING,
  body: record({
    ...NAMING,
    snippet: record({
      liveChatId: text,
      type: word('textMessageEvent', 'pollEvent'),
      textMessageDetails: record({ messageText: text }),
      pollDetails: POLL,
    }),
    authorDetails: ignored,
  }),
  missing: 'liveChatMessageNotFound',
  itemsOf: ({ messages }) => messages,
  insert: insertMessage,
});

function presentSnippet({
  channelId,
  chatId,
  publishedAt,
  text: messageText,
  poll,
  isDeleted,
}: ChatMessage): Fields {
  const common = { liveChatId: chatId, publishedAt: timeOf(publishedAt), hasDisplayContent: !isDeleted };
  if (isDeleted) return { type: 'tombstone', ...common };
  return {
    type: poll === undefined ? 'textMessageEvent' : 'pollEvent',
    ...common,
    authorChannelId: channelId,
    displayMessage: messageText,
    ...(poll === undefined ? { textMessageDetails: { messageText } } : { pollDetails: poll }),
  };
}

export const liveChatMessageMethods: readonly Method[] = [
  ...writing,
  ...serviceMethods('LiveChatMessage', '/liveChat/messages', {
    List: {
      scopes: VIEWING,
      parameters: {
        ...rules('text', 'liveChatId hl pageToken'),
        maxResults: { min: 200, max: 2000 },
        profileImageSize: { min: 16, max: 720 },
      },
      needs: ['liveChatId'],
      parts: partNames(MAKERS),
      handle: listMessages,
    },
    Delete: { scopes: MANAGING, parameters: { id: 'text' }, needs: ['id'], handle: deleteMessage },
    Transition: {
      path: '/liveChat/messages/transition',
      scopes: MANAGING,
      parameters: {
        id: 'text',
        status: { words: ['liveChatPollStatusUnspecified', 'statusUnspecified', 'closed'] },
      },
      handle: closePoll,
    },
  }),
];

const present = (call: Call) => (message: ChatMessage) =>
  presentResource(message, { kind: 'liveChatMessage', makers: MAKERS, call });

// Chat message lists always have a next page token, because clients poll for later messages.
function listMessages(call: Call): Outcome {
  const { world, parameters } = call;
  const chatId = requiredText(call, 'liveChatId');
  checkLanguage(parameters.text('hl'));
  const { endedAt } = visibleChat(call, chatId);
  const fingerprint = parameters.fingerprint();
  const offset = readPageToken(parameters.text('pageToken'), fingerprint);
  if (offset === undefined) throw invalidPageToken();
  const messages = [...world.messages.values()].filter((one) => one.chatId === chatId);
  const page = messages.slice(offset, offset + parameters.integer('maxResults', 500));
  return {
    body: withEtag({
      kind: 'youtube#liveChatMessageListResponse',
      pollingIntervalMillis: POLLING,
      ...(endedAt === undefined ? {} : { offlineAt: timeOf(endedAt) }),
      pageInfo: { totalResults: messages.length, resultsPerPage: page.length },
      nextPageToken: writePageToken(Math.min(messages.length, offset + page.length), fingerprint),
      items: page.map(present(call)),
    }),
  };
}

function findMessage(call: Call): ChatMessage {
  const message = call.world.messages.get(requiredText(call, 'id'));
  if (message !== undefined && !message.isDeleted) return message;
  throw refuse(404, 'liveChatMessageNotFound', 'The message that the request names cannot be found.');
}

function deleteMessage(call: Call): Outcome {
  const { world, me } = call;
  const message = findMessage(call);
  const isOwn = message.channelId === me.id;
  if (!isOwn && !isModerator(world, visibleChat(call, message.chatId), me.id)) throw forbidden();
  world.messages.set(message.id, { ...message, isDeleted: true });
  return { status: 204 };
}

function closePoll(call: Call): Outcome {
  const { world, me, parameters } = call;
  const message = findMessage(call);
  if (message.poll === undefined) throw refuse(400, 'invalidPoll', 'The message is no poll.');
  if (message.channelId !== me.id) throw forbidden();
  if (parameters.text('status') !== 'closed') throw refuse(400, 'statusRequired', 'A poll can be closed.');
  const closed: ChatMessage = { ...message, poll: { ...message.poll, status: 'closed' } };
  world.messages.set(closed.id, closed);
  return { body: present({ ...call, parts: new Set(['snippet']) })(closed) };
}

const LONGEST_TEXT = 200;

function insertMessage(call: Call): ChatMessage {
  const { world, me, body } = call;
  const snippet = within(body, 'snippet');
  const chatId = textOf(snippet, 'liveChatId');
  const type = textOf(snippet, 'type');
  if (chatId === undefined) throw refuse(400, 'liveChatIdRequired', 'The message must name a live chat.');
  if (type === undefined) throw refuse(400, 'typeRequired', 'The message must have a type.');
  const chat = visibleChat(call, chatId);
  if (chat.lifeCycle === 'complete')
    throw refuse(403, 'liveChatEnded', 'The specified live chat is no longer live.');
  if (isBanned(world, chatId, me.id)) throw forbidden('The channel is banned from the chat.');
  const common = { id: newLiveId(), channelId: me.id, chatId, publishedAt: world.now() };
  if (type === 'textMessageEvent') return { ...common, text: messageTextIn(snippet) };
  return { ...common, ...pollIn(call, chat) };
}

function messageTextIn(snippet: Fields): string {
  const messageText = textOf(within(snippet, 'textMessageDetails'), 'messageText') ?? '';
  if (messageText.trim() === '') throw refuse(400, 'messageTextRequired', 'The message has no text.');
  if (messageText.length > LONGEST_TEXT) throw refuse(400, 'messageTextInvalid', 'The message is too long.');
  return messageText;
}

function pollIn({ world, me, body }: Call, chat: Broadcast): Pick<ChatMessage, 'text' | 'poll'> {
  if (chat.channelId !== me.id) throw forbidden('Polls are made by the owner of the chat.');
  const ofChat = [...world.messages.values()].filter(({ chatId }) => chatId === chatIdOf(chat.id));
  if (ofChat.some(({ poll }) => poll?.status === 'active'))
    throw refuse(400, 'pollActive', 'The chat has a poll already: close that one.');
  const metadata = within(within(within(body, 'snippet'), 'pollDetails'), 'metadata');
  const question = textOf(metadata, 'questionText') ?? '';
  const options: readonly Fields[] = Array.isArray(metadata.options) ? metadata.options : [];
  if (question.trim() === '' || options.length < 2 || options.length > 4)
    throw refuse(400, 'invalidPoll', 'A poll has a question, and two to four answers.');
  const choices = options.map((option) => ({ ...pick(option, ['optionText']), tally: '0' }));
  return {
    text: question,
    poll: { metadata: { questionText: question, options: choices }, status: 'active' },
  };
}
