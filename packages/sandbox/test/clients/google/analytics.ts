import type { youtubeAnalytics_v2 } from '@googleapis/youtubeanalytics';
import type { GoogleOperation } from './operation.js';

type AnalyticsOperation = GoogleOperation<youtubeAnalytics_v2.Youtubeanalytics>;

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
    saves: { group: 'id' },
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
