import { closed, named } from '../listener/list-schema.js';
import { TEXT_FORMS } from '../text/text-forms.js';

const text = { type: 'string' };

/** Type of an event. The service checks it against its list, which depends on the connectors of the catalogue. */
export const eventType = {
  ...text,
  maxLength: 128,
  pattern: TEXT_FORMS.eventType.pattern,
  examples: ['account.reauthorization_required'],
  description:
    'Type of an event, such as account.deleted, or `{connector}.{trigger}` for a webhook of an upstream, such as convintel.conversation_processed.',
};

export const eventTypes = {
  type: 'array',
  items: eventType,
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
};

export const EVENT_ID = 'evt_0193f2a8c4d17b3e9a5c6d7e';
export const ENDPOINT_ID = 'ep_0193f2a8c4d17b3e9a5c6d7e';

export const eventSchema = named(
  'Event',
  closed({
    id: {
      ...text,
      examples: [EVENT_ID],
      description: 'Id of the event. The deliveries of the event have this id in the header webhook-id.',
    },
    type: eventType,
    timestamp: { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] },
    data: {
      type: 'object',
      additionalProperties: true,
      description: 'Data of the event; the fields depend on `type`.',
    },
  }),
  {
    data: {
      accountId: 'acct_0193f2a8c4d17b3e9a5c6d7e8f901234',
      connectionName: 'crm',
      identifier: 'ada',
      reason: 'refresh_refused',
    },
  },
);
