import type { youtube_v3 } from '@googleapis/youtube';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;

const part = ['snippet'];
const linked = { type: 'channelToStoreLink', channelToStoreLink: { storeUrl: 'https://shop.example' } };

/** Operations on a channel's own data. They run before {@link videos}, which leaves the person without a channel. */
export const channel: readonly VideoOperation[] = [
  {
    name: 'channels.list, to change it',
    call: ({ api, at }) => at((o) => api.channels.list({ part: ['contentDetails'], mine: true }, o)),
    saves: { me: 'items.0.id' },
  },
  {
    name: 'channels.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.channels.update(
          {
            part: ['brandingSettings'],
            requestBody: {
              id: id('me'),
              brandingSettings: { channel: { description: 'Changed', keywords: 'engine', country: 'GB' } },
            },
          },
          o,
        ),
      ),
    gives: { brandingSettings: { channel: { keywords: 'engine' } } },
  },
  {
    name: 'channels.update, another title',
    call: ({ api, at }, id) =>
      at((o) =>
        api.channels.update(
          {
            part: ['brandingSettings'],
            requestBody: { id: id('me'), brandingSettings: { channel: { title: 'x' } } },
          },
          o,
        ),
      ),
    throws: { code: 403 },
  },
  {
    name: 'channelSections.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.channelSections.insert(
          {
            part: ['snippet', 'contentDetails'],
            requestBody: {
              snippet: { type: 'multipleChannels', title: 'Friends' },
              contentDetails: { channels: [id('me')] },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#channelSection' },
    saves: { section: 'id' },
  },
  {
    name: 'channelSections.insert, of no type',
    call: ({ api, at }) => at((o) => api.channelSections.insert({ part, requestBody: { snippet: {} } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'channelSections.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.channelSections.update(
          { part, requestBody: { id: id('section'), snippet: { type: 'recentUploads', position: 0 } } },
          o,
        ),
      ),
    gives: { snippet: { type: 'recentUploads' } },
  },
  {
    name: 'channelSections.list',
    call: ({ api, at }) =>
      at((o) => api.channelSections.list({ part: ['snippet', 'contentDetails'], mine: true }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'channelSections.delete',
    call: ({ api, at }, id) => at((o) => api.channelSections.delete({ id: id('section') }, o)),
  },
  {
    name: 'thirdPartyLinks.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.thirdPartyLinks.insert(
          { part: ['snippet', 'status'], requestBody: { linkingToken: 'battery', snippet: linked } },
          o,
        ),
      ),
    gives: { linkingToken: 'battery' },
  },
  {
    name: 'thirdPartyLinks.update',
    call: ({ api, at }) =>
      at((o) =>
        api.thirdPartyLinks.update({ part, requestBody: { linkingToken: 'battery', snippet: linked } }, o),
      ),
    gives: { linkingToken: 'battery' },
  },
  {
    name: 'thirdPartyLinks.list',
    call: ({ api, at }) =>
      at((o) => api.thirdPartyLinks.list({ part: ['snippet', 'status'], linkingToken: 'battery' }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'thirdPartyLinks.delete',
    call: ({ api, at }) =>
      at((o) => api.thirdPartyLinks.delete({ linkingToken: 'battery', type: 'channelToStoreLink' }, o)),
  },
  {
    name: 'activities.list',
    call: ({ api, at }) =>
      at((o) => api.activities.list({ part: ['snippet', 'contentDetails'], mine: true, maxResults: 20 }, o)),
    gives: { kind: 'youtube#activityListResponse', items: expect.any(Array) },
    saves: { activity: 'items.0.id' },
  },
  {
    name: 'activities.list, of nobody',
    call: ({ api, at }) => at((o) => api.activities.list({ part, channelId: 'UCnobody' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'superChatEvents.list',
    call: ({ api, at }) => at((o) => api.superChatEvents.list({ part, hl: 'en' }, o)),
    gives: { items: [{}, {}] },
  },
  {
    name: 'members.list, without its scope',
    call: ({ api, at }) => at((o) => api.members.list({ part }, o)),
    throws: { code: 403 },
  },
  {
    name: 'membershipsLevels.list, without its scope',
    call: ({ api, at }) => at((o) => api.membershipsLevels.list({ part }, o)),
    throws: { code: 403 },
  },
  {
    name: 'commentThreads.list, to moderate',
    call: ({ api, at }, id) =>
      at((o) => api.commentThreads.list({ part, allThreadsRelatedToChannelId: id('me') }, o)),
    saves: { comment: 'items.0.id' },
  },
  {
    name: 'comments.setModerationStatus',
    call: ({ api, at }, id) =>
      at((o) =>
        api.comments.setModerationStatus({ id: [id('comment')], moderationStatus: 'heldForReview' }, o),
      ),
  },
  {
    name: 'commentThreads.list, held for review',
    call: ({ api, at }, id) =>
      at((o) =>
        api.commentThreads.list(
          { part, allThreadsRelatedToChannelId: id('me'), moderationStatus: 'heldForReview' },
          o,
        ),
      ),
    gives: { items: [{}] },
  },
  {
    name: 'comments.setModerationStatus, a ban without a rejection',
    call: ({ api, at }, id) =>
      at((o) =>
        api.comments.setModerationStatus(
          { id: [id('comment')], moderationStatus: 'published', banAuthor: true },
          o,
        ),
      ),
    throws: { code: 400 },
  },
  {
    name: 'comments.markAsSpam',
    call: ({ api, at }, id) => at((o) => api.comments.markAsSpam({ id: [id('comment')] }, o)),
  },
  {
    name: 'videos.list, to report one',
    call: ({ api, at }) => at((o) => api.videos.list({ part, chart: 'mostPopular' }, o)),
    saves: { reported: 'items.0.id' },
  },
  {
    name: 'videos.reportAbuse',
    call: ({ api, at }, id) =>
      at((o) => api.videos.reportAbuse({ requestBody: { videoId: id('reported'), reasonId: 'S' } }, o)),
  },
  {
    name: 'videos.reportAbuse, for no reason',
    call: ({ api, at }, id) =>
      at((o) => api.videos.reportAbuse({ requestBody: { videoId: id('reported'), reasonId: 'x' } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'abuseReports.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.abuseReports.insert(
          {
            part: ['subject', 'abuseTypes'],
            requestBody: { subject: { id: id('reported') }, abuseTypes: [{ id: 'S' }] },
          },
          o,
        ),
      ),
    gives: { subject: { id: expect.any(String) } },
  },
  {
    name: 'watermarks.unset',
    call: ({ api, at }, id) => at((o) => api.watermarks.unset({ channelId: id('me') }, o)),
  },
  {
    name: 'videos.batchGetStats',
    call: ({ api, at }, id) =>
      at((o) => api.videos.batchGetStats({ part: ['statistics', 'snippet'], id: [id('reported')] }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'videoTrainability.get',
    call: ({ api, at }, id) => at((o) => api.videoTrainability.get({ id: id('reported') }, o)),
    gives: { kind: 'youtube#videoTrainability' },
  },
  {
    name: 'playlistImages.list, of no playlist',
    call: ({ api, at }) => at((o) => api.playlistImages.list({ part, parent: 'PLnothing' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'tests.insert, not emulated',
    call: ({ api, at }) => at((o) => api.tests.insert({ part, requestBody: {} }, { ...o, retry: false })),
    throws: { code: 501 },
  },
];
