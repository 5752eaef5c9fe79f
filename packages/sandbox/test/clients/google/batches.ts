import { expect } from 'vitest';
import type { Operation } from '../support/battery.js';
import type { Batching } from './python/python-client.js';

type BatchOperation = Operation<Batching>;

const list = { names: ['calendarList', 'list'], parameters: { fields: 'kind' } };
const EVENT = {
  summary: 'One of a batch – ☕',
  start: { dateTime: '2027-03-01T09:00:00Z' },
  end: { dateTime: '2027-03-01T10:00:00Z' },
};

export const calendarBatches: readonly BatchOperation[] = [
  {
    name: 'a batch that reads, writes and is refused',
    call: ({ batch }) =>
      batch([
        list,
        { names: ['events', 'insert'], parameters: { calendarId: 'primary', requestBody: EVENT } },
        { names: ['events', 'get'], parameters: { calendarId: 'primary', eventId: 'none' } },
      ]),
    gives: {
      data: [
        { data: { kind: 'calendar#calendarList' } },
        { data: { kind: 'calendar#event', summary: EVENT.summary } },
        { error: { code: 404 } },
      ],
    },
    saves: { event: 'data.1.data.id' },
  },
  {
    name: 'a batch that deletes what another one made',
    call: ({ batch }, id) =>
      batch([
        { names: ['events', 'delete'], parameters: { calendarId: 'primary', eventId: id('event') } },
        { names: ['events', 'get'], parameters: { calendarId: 'primary', eventId: id('event') } },
      ]),
    gives: { data: [{ data: {} }, { data: { status: 'cancelled' } }] },
  },
  {
    name: 'a hundred at once',
    call: ({ batch }) => batch(Array.from({ length: 100 }, () => list)),
    gives: { data: Array.from({ length: 100 }, () => ({ data: { kind: 'calendar#calendarList' } })) },
  },
];

export const videoBatches: readonly BatchOperation[] = [
  {
    name: 'a batch that reads and is refused',
    call: ({ batch }) =>
      batch([
        { names: ['channels', 'list'], parameters: { part: 'id', mine: true } },
        { names: ['videos', 'list'], parameters: { part: 'nothing', chart: 'mostPopular' } },
      ]),
    gives: { data: [{ data: { items: [{ id: expect.any(String) }] } }, { error: { code: 400 } }] },
  },
];

export const analyticsBatches: readonly BatchOperation[] = [
  {
    name: 'a batch that makes a group and lists',
    call: ({ batch }) =>
      batch([
        {
          names: ['groups', 'insert'],
          parameters: {
            requestBody: {
              snippet: { title: 'Of a batch' },
              contentDetails: { itemType: 'youtube#video' },
            },
          },
        },
        { names: ['groups', 'list'], parameters: { mine: true, fields: 'kind' } },
      ]),
    gives: {
      data: [{ data: { kind: 'youtube#group' } }, { data: { kind: 'youtube#groupListResponse' } }],
    },
  },
];
