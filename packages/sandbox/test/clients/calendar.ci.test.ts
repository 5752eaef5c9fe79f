import { calendar } from '@googleapis/calendar';
import { calendars } from './google/calendars.js';
import { eventLists } from './google/event-lists.js';
import { events } from './google/events.js';
import { atAddress, tokenOf } from './google/operation.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

runBattery("Google's calendar client", {
  ...waysTo('calendar', (address) => ({
    api: calendar({ version: 'v3', auth: tokenOf(address) }),
    at: atAddress(address),
  })),
  operations: [...calendars, ...events, ...eventLists],
});
