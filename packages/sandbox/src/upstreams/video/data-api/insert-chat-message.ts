import { pick, textOf, within } from '../body.js';
import { newLiveId } from '../identifiers.js';
import { type Broadcast, type ChatMessage, chatIdOf } from '../live.js';
import { forbidden, refuse } from '../refusals.js';
import type { Fields } from '../world.js';
import type { Call } from './call.js';
import { isBanned, visibleChat } from './find-chat.js';

const LONGEST_TEXT = 200;

/** What is said in a chat: a text, or a poll. */
export function insertMessage(call: Call): ChatMessage {
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
  if (type === 'textMessageEvent') return { ...common, text: saidIn(snippet) };
  return { ...common, ...pollIn(call, chat) };
}

function saidIn(snippet: Fields): string {
  const said = textOf(within(snippet, 'textMessageDetails'), 'messageText') ?? '';
  if (said.trim() === '') throw refuse(400, 'messageTextRequired', 'The message has no text.');
  if (said.length > LONGEST_TEXT) throw refuse(400, 'messageTextInvalid', 'The message is too long.');
  return said;
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
  const answers = options.map((option) => ({ ...pick(option, ['optionText']), tally: '0' }));
  return {
    text: question,
    poll: { metadata: { questionText: question, options: answers }, status: 'active' },
  };
}
