import type { youtube_v3 } from '@googleapis/youtube';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;

const part = ['snippet'];
const whole = ['snippet', 'status', 'contentDetails'];
const scheduledStartTime = '2035-01-01T10:00:00Z';

const transition = (broadcastStatus: string): VideoOperation => ({
  name: `liveBroadcasts.transition, ${broadcastStatus}`,
  call: ({ api, at }, id) =>
    at((o) => api.liveBroadcasts.transition({ part: whole, id: id('broadcast'), broadcastStatus }, o)),
  gives: { status: { lifeCycleStatus: broadcastStatus } },
});

/** Operations on a live broadcast from planning to end, including chat messages. */
export const live: readonly VideoOperation[] = [
  {
    name: 'liveBroadcasts.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.liveBroadcasts.insert(
          {
            part: whole,
            requestBody: {
              snippet: { title: 'Debut', scheduledStartTime },
              status: { privacyStatus: 'public' },
              contentDetails: { enableDvr: false, monitorStream: { enableMonitorStream: true } },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#liveBroadcast' },
    saves: { broadcast: 'id', chat: 'snippet.liveChatId' },
  },
  {
    name: 'liveBroadcasts.insert, without a time',
    call: ({ api, at }) =>
      at((o) => api.liveBroadcasts.insert({ part, requestBody: { snippet: { title: 'Debut' } } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'liveBroadcasts.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveBroadcasts.update(
          { part, requestBody: { id: id('broadcast'), snippet: { title: 'Encore', scheduledStartTime } } },
          o,
        ),
      ),
    gives: { snippet: { title: 'Encore' } },
  },
  {
    name: 'liveStreams.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.liveStreams.insert(
          {
            part: ['snippet', 'cdn', 'contentDetails', 'status'],
            requestBody: {
              snippet: { title: 'Camera' },
              cdn: { ingestionType: 'rtmp', resolution: '1080p', frameRate: '30fps' },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#liveStream' },
    saves: { stream: 'id' },
  },
  {
    name: 'liveStreams.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveStreams.update(
          { part, requestBody: { id: id('stream'), snippet: { title: 'Two cameras' } } },
          o,
        ),
      ),
    gives: { snippet: { title: 'Two cameras' } },
  },
  {
    name: 'liveStreams.list',
    call: ({ api, at }) => at((o) => api.liveStreams.list({ part: ['snippet', 'status'], mine: true }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'liveBroadcasts.transition, without a stream',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveBroadcasts.transition({ part: whole, id: id('broadcast'), broadcastStatus: 'testing' }, o),
      ),
    throws: { code: 403 },
  },
  {
    name: 'liveBroadcasts.bind',
    call: ({ api, at }, id) =>
      at((o) => api.liveBroadcasts.bind({ part: whole, id: id('broadcast'), streamId: id('stream') }, o)),
    gives: { status: { lifeCycleStatus: 'ready' } },
  },
  transition('testing'),
  transition('live'),
  {
    name: 'liveBroadcasts.list',
    call: ({ api, at }) =>
      at((o) => api.liveBroadcasts.list({ part: whole, broadcastStatus: 'active', broadcastType: 'all' }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'liveBroadcasts.insertCuepoint',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveBroadcasts.insertCuepoint(
          { id: id('broadcast'), requestBody: { cueType: 'cueTypeAd', durationSecs: 30 } },
          o,
        ),
      ),
    gives: { durationSecs: 30 },
  },
  {
    name: 'liveChatMessages.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatMessages.insert(
          {
            part: ['snippet', 'authorDetails'],
            requestBody: {
              snippet: {
                liveChatId: id('chat'),
                type: 'textMessageEvent',
                textMessageDetails: { messageText: 'Hello' },
              },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#liveChatMessage' },
    saves: { message: 'id' },
  },
  {
    name: 'liveChatMessages.insert, a poll',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatMessages.insert(
          {
            part,
            requestBody: {
              snippet: {
                liveChatId: id('chat'),
                type: 'pollEvent',
                pollDetails: {
                  metadata: {
                    questionText: 'Steam?',
                    options: [{ optionText: 'Yes' }, { optionText: 'No' }],
                  },
                },
              },
            },
          },
          o,
        ),
      ),
    saves: { poll: 'id' },
  },
  {
    name: 'liveChatMessages.transition',
    call: ({ api, at }, id) =>
      at((o) => api.liveChatMessages.transition({ id: id('poll'), status: 'closed' }, o)),
    gives: { snippet: { pollDetails: { status: 'closed' } } },
  },
  {
    name: 'liveChatMessages.list',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatMessages.list(
          { part: ['snippet', 'authorDetails'], liveChatId: id('chat'), maxResults: 200 },
          o,
        ),
      ),
    gives: { items: [{}, {}] },
  },
  {
    name: 'liveChatMessages.delete',
    call: ({ api, at }, id) => at((o) => api.liveChatMessages.delete({ id: id('message') }, o)),
  },
  {
    name: 'subscriptions.list, to find somebody',
    call: ({ api, at }) => at((o) => api.subscriptions.list({ part, mine: true }, o)),
    saves: { other: 'items.0.snippet.resourceId.channelId' },
  },
  {
    name: 'liveChatBans.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatBans.insert(
          {
            part,
            requestBody: {
              snippet: {
                liveChatId: id('chat'),
                type: 'temporary',
                banDurationSeconds: '60',
                bannedUserDetails: { channelId: id('other') },
              },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#liveChatBan' },
    saves: { ban: 'id' },
  },
  {
    name: 'liveChatBans.delete',
    call: ({ api, at }, id) => at((o) => api.liveChatBans.delete({ id: id('ban') }, o)),
  },
  {
    name: 'liveChatModerators.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatModerators.insert(
          {
            part,
            requestBody: {
              snippet: { liveChatId: id('chat'), moderatorDetails: { channelId: id('other') } },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#liveChatModerator' },
    saves: { moderator: 'id' },
  },
  {
    name: 'liveChatModerators.list',
    call: ({ api, at }, id) => at((o) => api.liveChatModerators.list({ part, liveChatId: id('chat') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'liveChatModerators.delete',
    call: ({ api, at }, id) => at((o) => api.liveChatModerators.delete({ id: id('moderator') }, o)),
  },
  transition('complete'),
  {
    name: 'liveChatMessages.insert, too late',
    call: ({ api, at }, id) =>
      at((o) =>
        api.liveChatMessages.insert(
          {
            part,
            requestBody: {
              snippet: {
                liveChatId: id('chat'),
                type: 'textMessageEvent',
                textMessageDetails: { messageText: 'Hello?' },
              },
            },
          },
          o,
        ),
      ),
    throws: { code: 403 },
  },
  {
    name: 'liveBroadcasts.delete',
    call: ({ api, at }, id) => at((o) => api.liveBroadcasts.delete({ id: id('broadcast') }, o)),
  },
  {
    name: 'liveStreams.delete',
    call: ({ api, at }, id) => at((o) => api.liveStreams.delete({ id: id('stream') }, o)),
  },
];
