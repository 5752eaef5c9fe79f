import type { youtube_v3 } from '@googleapis/youtube';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;

const part = ['snippet'];
const _both = ['snippet', 'status'];

/** Operations on comments, subscriptions and captions. They delete the objects that {@link videos} created. */
export const comments: readonly VideoOperation[] = [
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
    saves: { thread: 'id' },
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
    saves: { reply: 'id' },
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
    name: 'retries a read of a service that is down',
    call: async ({ api, at }, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 503 } });
      return at((o) => api.i18nRegions.list({ part }, { ...o, retryConfig: { retryDelay: 1, retry: 3 } }));
    },
    gives: { kind: 'youtube#i18nRegionListResponse' },
  },
  {
    name: 'knows a quota that is spent',
    call: async ({ api, at }, _, setDials) => {
      await setDials({ quotaPerDay: 0 });
      try {
        return await at((o) => api.channels.list({ part, mine: true }, o));
      } finally {
        await setDials({ quotaPerDay: 10_000 });
      }
    },
    throws: { code: 403, response: { data: { error: { errors: [{ reason: 'quotaExceeded' }] } } } },
  },
  { name: 'videos.delete', call: ({ api, at }, id) => at((o) => api.videos.delete({ id: id('own') }, o)) },
];
