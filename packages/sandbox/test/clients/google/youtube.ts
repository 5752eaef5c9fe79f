import type { youtube_v3 } from '@googleapis/youtube';
import type { youtubeAnalytics_v2 } from '@googleapis/youtubeanalytics';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;
type AnalyticsOperation = GoogleOperation<youtubeAnalytics_v2.Youtubeanalytics>;

const part = ['snippet'];
const both = ['snippet', 'status'];

export const videos: readonly VideoOperation[] = [
  {
    name: 'channels.list, the own one',
    call: ({ api, at }) =>
      at((o) =>
        api.channels.list(
          { part: ['snippet', 'statistics', 'contentDetails', 'brandingSettings'], mine: true },
          o,
        ),
      ),
    gives: { kind: 'youtube#channelListResponse' },
    keeps: { channel: 'items.0.id', uploads: 'items.0.contentDetails.relatedPlaylists.uploads' },
  },
  {
    name: 'channels.list, by a handle',
    call: ({ api, at }) => at((o) => api.channels.list({ part, forHandle: '@nobody-here' }, o)),
    gives: { pageInfo: { totalResults: 0 } },
  },
  {
    name: 'channels.list, without a filter',
    call: ({ api, at }) => at((o) => api.channels.list({ part }, o)),
    throws: { code: 400 },
  },
  {
    name: 'channels.list, a part that is none',
    call: ({ api, at }) => at((o) => api.channels.list({ part: ['nothing'], mine: true }, o)),
    throws: { code: 400 },
  },
  {
    name: 'channels.list, for an owner who is another',
    call: ({ api, at }) =>
      at((o) => api.channels.list({ part, mine: true, onBehalfOfContentOwner: 'other' }, o)),
    throws: { code: 403 },
  },
  {
    name: 'videos.list, the most popular',
    call: ({ api, at }) =>
      at((o) =>
        api.videos.list(
          { part: ['snippet', 'statistics'], chart: 'mostPopular', regionCode: 'GB', maxResults: 2 },
          o,
        ),
      ),
    keeps: { next: 'nextPageToken', popular: 'items.0.id' },
  },
  {
    name: 'videos.list, the next page',
    call: ({ api, at }, id) =>
      at((o) =>
        api.videos.list(
          {
            part: ['snippet', 'statistics'],
            chart: 'mostPopular',
            regionCode: 'GB',
            maxResults: 2,
            pageToken: id('next'),
          },
          o,
        ),
      ),
    gives: { prevPageToken: expect.any(String) },
  },
  {
    name: 'videos.list, a size that is too large',
    call: ({ api, at }) => at((o) => api.videos.list({ part, chart: 'mostPopular', maxResults: 51 }, o)),
    throws: { code: 400 },
  },
  {
    name: 'playlistItems.list, what was uploaded',
    call: ({ api, at }, id) =>
      at((o) =>
        api.playlistItems.list({ part: ['snippet', 'contentDetails'], playlistId: id('uploads') }, o),
      ),
    keeps: { own: 'items.0.contentDetails.videoId' },
  },
  {
    name: 'videos.list, by their ids',
    call: ({ api, at }, id) =>
      at((o) =>
        api.videos.list(
          {
            part: ['snippet', 'status', 'contentDetails', 'localizations'],
            id: [id('own'), id('popular')],
            hl: 'de',
          },
          o,
        ),
      ),
    gives: { items: [{}, {}] },
  },
  {
    name: 'videos.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.videos.update(
          { part, requestBody: { id: id('own'), snippet: { title: 'Renamed', categoryId: '28' } } },
          o,
        ),
      ),
    gives: { snippet: { title: 'Renamed' } },
  },
  {
    name: 'videos.update, of somebody else',
    call: ({ api, at }) =>
      at((o) =>
        api.videos.update(
          { part, requestBody: { id: 'nobodysVideo', snippet: { title: 'x', categoryId: '28' } } },
          o,
        ),
      ),
    throws: { code: 404 },
  },
  {
    name: 'videos.rate',
    call: ({ api, at }, id) => at((o) => api.videos.rate({ id: id('popular'), rating: 'like' }, o)),
  },
  {
    name: 'videos.rate, a word that is none',
    call: ({ api, at }, id) => at((o) => api.videos.rate({ id: id('popular'), rating: 'love' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'videos.getRating',
    call: ({ api, at }, id) => at((o) => api.videos.getRating({ id: [id('popular')] }, o)),
    gives: { items: [{ rating: 'like' }] },
  },
  {
    name: 'videos.list, liked ones',
    call: ({ api, at }) => at((o) => api.videos.list({ part, myRating: 'like' }, o)),
    gives: { kind: 'youtube#videoListResponse' },
  },
  {
    name: 'search.list',
    call: ({ api, at }) => at((o) => api.search.list({ part, q: 'engine', maxResults: 3 }, o)),
    gives: { kind: 'youtube#searchListResponse' },
  },
  {
    name: 'search.list, of videos, with every filter',
    call: ({ api, at }) =>
      at((o) =>
        api.search.list(
          {
            part,
            type: ['video'],
            videoCaption: 'any',
            videoDefinition: 'high',
            videoDimension: '2d',
            videoDuration: 'any',
            videoEmbeddable: 'any',
            videoLicense: 'any',
            videoSyndicated: 'any',
            videoType: 'any',
            videoPaidProductPlacement: 'any',
            order: 'date',
            safeSearch: 'none',
            relevanceLanguage: 'en',
            publishedAfter: '2000-01-01T00:00:00Z',
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#searchListResponse' },
  },
  {
    name: 'search.list, what is live',
    call: ({ api, at }) => at((o) => api.search.list({ part, type: ['video'], eventType: 'live' }, o)),
    gives: { items: [] },
  },
  {
    name: 'search.list, around a place',
    call: ({ api, at }) =>
      at((o) => api.search.list({ part, type: ['video'], location: '51.5,-0.1', locationRadius: '10km' }, o)),
    gives: { items: expect.any(Array) },
  },
  {
    name: 'search.list, a place without how far',
    call: ({ api, at }) => at((o) => api.search.list({ part, type: ['video'], location: '51.5,-0.1' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'search.list, an event that is none',
    call: ({ api, at }) => at((o) => api.search.list({ part, type: ['video'], eventType: 'party' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'search.list, a filter of videos for channels',
    call: ({ api, at }) =>
      at((o) => api.search.list({ part, type: ['channel'], videoDefinition: 'high' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'playlists.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.playlists.insert(
          {
            part: both,
            requestBody: {
              snippet: { title: 'Battery', description: 'Of tests' },
              status: { privacyStatus: 'private' },
            },
          },
          o,
        ),
      ),
    gives: { snippet: { title: 'Battery' } },
    keeps: { playlist: 'id' },
  },
  {
    name: 'playlists.insert, without a title',
    call: ({ api, at }) => at((o) => api.playlists.insert({ part, requestBody: { snippet: {} } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'playlists.list',
    call: ({ api, at }) =>
      at((o) => api.playlists.list({ part: ['snippet', 'contentDetails'], mine: true, maxResults: 50 }, o)),
    gives: { kind: 'youtube#playlistListResponse' },
  },
  {
    name: 'playlists.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.playlists.update(
          {
            part: both,
            requestBody: {
              id: id('playlist'),
              snippet: { title: 'Batteries' },
              status: { privacyStatus: 'public' },
            },
          },
          o,
        ),
      ),
    gives: { status: { privacyStatus: 'public' } },
  },
  {
    name: 'playlistItems.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.playlistItems.insert(
          {
            part,
            requestBody: {
              snippet: {
                playlistId: id('playlist'),
                resourceId: { kind: 'youtube#video', videoId: id('popular') },
              },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#playlistItem' },
    keeps: { item: 'id' },
  },
  {
    name: 'playlistItems.list',
    call: ({ api, at }, id) => at((o) => api.playlistItems.list({ part, playlistId: id('playlist') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'playlistItems.list, of no playlist',
    call: ({ api, at }) => at((o) => api.playlistItems.list({ part, playlistId: 'PLnothing' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'playlistItems.delete',
    call: ({ api, at }, id) => at((o) => api.playlistItems.delete({ id: id('item') }, o)),
  },
  {
    name: 'playlistItems.delete, again',
    call: ({ api, at }, id) => at((o) => api.playlistItems.delete({ id: id('item') }, o)),
    throws: { code: 404 },
  },
  {
    name: 'playlists.delete',
    call: ({ api, at }, id) => at((o) => api.playlists.delete({ id: id('playlist') }, o)),
  },
  {
    name: 'commentThreads.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.commentThreads.insert(
          {
            part,
            requestBody: {
              snippet: { videoId: id('popular'), topLevelComment: { snippet: { textOriginal: 'First' } } },
            },
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#commentThread' },
    keeps: { thread: 'id' },
  },
  {
    name: 'commentThreads.list',
    call: ({ api, at }, id) =>
      at((o) =>
        api.commentThreads.list(
          { part: ['snippet', 'replies'], videoId: id('popular'), order: 'time', textFormat: 'plainText' },
          o,
        ),
      ),
    gives: { kind: 'youtube#commentThreadListResponse' },
  },
  {
    name: 'comments.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.comments.insert(
          { part, requestBody: { snippet: { parentId: id('thread'), textOriginal: 'Second' } } },
          o,
        ),
      ),
    gives: { kind: 'youtube#comment' },
    keeps: { reply: 'id' },
  },
  {
    name: 'comments.list',
    call: ({ api, at }, id) => at((o) => api.comments.list({ part, parentId: id('thread') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'comments.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.comments.update(
          { part, requestBody: { id: id('reply'), snippet: { textOriginal: 'Second, changed' } } },
          o,
        ),
      ),
    gives: { snippet: { textOriginal: 'Second, changed' } },
  },
  {
    name: 'comments.update, to nothing',
    call: ({ api, at }, id) =>
      at((o) =>
        api.comments.update({ part, requestBody: { id: id('reply'), snippet: { textOriginal: ' ' } } }, o),
      ),
    throws: { code: 400 },
  },
  {
    name: 'comments.delete',
    call: ({ api, at }, id) => at((o) => api.comments.delete({ id: id('thread') }, o)),
  },
  {
    name: 'comments.list, deleted',
    call: ({ api, at }, id) => at((o) => api.comments.list({ part, parentId: id('thread') }, o)),
    throws: { code: 404 },
  },
  {
    name: 'subscriptions.list',
    call: ({ api, at }) => at((o) => api.subscriptions.list({ part, mine: true, order: 'alphabetical' }, o)),
    gives: { kind: 'youtube#subscriptionListResponse' },
  },
  {
    name: 'captions.list',
    call: ({ api, at }, id) => at((o) => api.captions.list({ part, videoId: id('own') }, o)),
    gives: { kind: 'youtube#captionListResponse' },
  },
  {
    name: 'videoCategories.list',
    call: ({ api, at }) => at((o) => api.videoCategories.list({ part, regionCode: 'US' }, o)),
    gives: { kind: 'youtube#videoCategoryListResponse' },
  },
  {
    name: 'videoCategories.list, a country that is none',
    call: ({ api, at }) => at((o) => api.videoCategories.list({ part, regionCode: 'ZZ' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'i18nLanguages.list',
    call: ({ api, at }) => at((o) => api.i18nLanguages.list({ part, hl: 'en' }, o)),
    gives: { kind: 'youtube#i18nLanguageListResponse' },
  },
  {
    name: 'i18nRegions.list',
    call: ({ api, at }) => at((o) => api.i18nRegions.list({ part }, o)),
    gives: { kind: 'youtube#i18nRegionListResponse' },
  },
  {
    name: 'videoAbuseReportReasons.list',
    call: ({ api, at }) => at((o) => api.videoAbuseReportReasons.list({ part }, o)),
    gives: { kind: 'youtube#videoAbuseReportReasonListResponse' },
  },
  {
    name: 'activities.list, not emulated',
    call: ({ api, at }) => at((o) => api.activities.list({ part, mine: true }, { ...o, retry: false })),
    throws: { code: 501 },
  },
  {
    name: 'retries a read of a service that is down',
    call: async ({ api, at }, _, turn) => {
      await turn({ failNext: { count: 1, status: 503 } });
      return at((o) => api.i18nRegions.list({ part }, { ...o, retryConfig: { retryDelay: 1, retry: 3 } }));
    },
    gives: { kind: 'youtube#i18nRegionListResponse' },
  },
  {
    name: 'knows a quota that is spent',
    call: async ({ api, at }, _, turn) => {
      await turn({ quotaPerDay: 0 });
      try {
        return await at((o) => api.channels.list({ part, mine: true }, o));
      } finally {
        await turn({ quotaPerDay: 10_000 });
      }
    },
    throws: { code: 403, response: { data: { error: { errors: [{ reason: 'quotaExceeded' }] } } } },
  },
  { name: 'videos.delete', call: ({ api, at }, id) => at((o) => api.videos.delete({ id: id('own') }, o)) },
];

export const analytics: readonly AnalyticsOperation[] = [
  {
    name: 'groups.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.groups.insert(
          { requestBody: { snippet: { title: 'Battery' }, contentDetails: { itemType: 'youtube#video' } } },
          o,
        ),
      ),
    gives: { kind: 'youtube#group' },
    keeps: { group: 'id' },
  },
  {
    name: 'groups.list',
    call: ({ api, at }) => at((o) => api.groups.list({ mine: true }, o)),
    gives: { kind: 'youtube#groupListResponse' },
  },
  {
    name: 'groups.update',
    call: ({ api, at }, id) =>
      at((o) => api.groups.update({ requestBody: { id: id('group'), snippet: { title: 'Batteries' } } }, o)),
    gives: { snippet: { title: 'Batteries' } },
  },
  {
    name: 'groupItems.list',
    call: ({ api, at }, id) => at((o) => api.groupItems.list({ groupId: id('group') }, o)),
    gives: { kind: 'youtube#groupItemListResponse' },
  },
  { name: 'groups.delete', call: ({ api, at }, id) => at((o) => api.groups.delete({ id: id('group') }, o)) },
  {
    name: 'reports.query',
    call: ({ api, at }) =>
      at((o) =>
        api.reports.query(
          {
            ids: 'channel==MINE',
            startDate: '2026-10-01',
            endDate: '2026-10-07',
            metrics: 'views,likes',
            dimensions: 'day',
            sort: 'day',
          },
          o,
        ),
      ),
    gives: { kind: 'youtubeAnalytics#resultTable' },
  },
  {
    name: 'reports.query, a metric that is none',
    call: ({ api, at }) =>
      at((o) =>
        api.reports.query(
          { ids: 'channel==MINE', startDate: '2026-10-01', endDate: '2026-10-07', metrics: 'joy' },
          o,
        ),
      ),
    throws: { code: 400 },
  },
  {
    name: 'reports.query, an end before its start',
    call: ({ api, at }) =>
      at((o) =>
        api.reports.query(
          { ids: 'channel==MINE', startDate: '2026-10-07', endDate: '2026-10-01', metrics: 'views' },
          o,
        ),
      ),
    throws: { code: 400 },
  },
];
