import type { youtube_v3 } from '@googleapis/youtube';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;

const part = ['snippet'];
const both = ['snippet', 'status'];

/** Operations on channels, videos, playlists and search. */
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
    saves: { channel: 'items.0.id', uploads: 'items.0.contentDetails.relatedPlaylists.uploads' },
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
    saves: { next: 'nextPageToken', popular: 'items.0.id' },
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
    saves: { own: 'items.0.contentDetails.videoId' },
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
    name: 'search.list, around a location',
    call: ({ api, at }) =>
      at((o) => api.search.list({ part, type: ['video'], location: '51.5,-0.1', locationRadius: '10km' }, o)),
    gives: { items: expect.any(Array) },
  },
  {
    name: 'search.list, a location without a radius',
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
    saves: { playlist: 'id' },
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
    saves: { item: 'id' },
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
];
