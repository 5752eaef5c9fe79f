import { closed, named } from '../listener/list-schema.js';
import { etagSchema } from './etag-schema.js';

const text = { type: 'string' };
const time = { ...text, format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
export const WATCH_ID = 'watch_0193f2a8c4d17b3e9a5c6d7e';
const TOOL = 'crm_contacts_list';
const INPUT = { team: 'sales' };

const every = {
  type: 'integer',
  minimum: 1,
  maximum: 604_800,
  examples: [300],
  description:
    'Seconds between two polls of the list. The minimum is 60 for an application that is marked as production. Default: 300.',
};
const enabled = {
  type: 'boolean',
  description:
    'False to stop polling the list. True to continue polling at the last position, also after a failure.',
};
const toolInput = {
  type: 'object',
  additionalProperties: true,
  description:
    'Input of the tool that returns the list, without the inputs for pages, order and time; at most 16 KiB as JSON.',
};
const connectionName = { ...text, minLength: 1, maxLength: 64, examples: ['crm'] };
const identifier = { ...text, minLength: 1, maxLength: 256, examples: ['ada'] };
const account = {
  ...text,
  maxLength: 64,
  examples: ['work'],
  description: 'Label of the account, if the account has one.',
};

const REQUIRED = {
  id: { ...text, examples: [WATCH_ID] },
  toolName: { ...text, examples: [TOOL] },
  toolInput,
  accountId: { ...text, examples: ['acct_0193f2a8c4d17b3e9a5c6d7e'] },
  connectionName,
  identifier,
  every,
  enabled: { ...enabled, examples: [true] },
  state: {
    ...text,
    enum: ['starting', 'watching', 'paused', 'failed'],
    description:
      'starting: the first poll has not ended. paused: the watch continues when the account has access again. failed: the watch polls nothing until it is enabled again.',
  },
  createdAt: time,
  updatedAt: time,
  etag: { ...etagSchema, description: `${etagSchema.description} The value does not depend on \`state\`.` },
};
const OPTIONAL = {
  account,
  reason: {
    ...text,
    examples: ['account_not_authorized'],
    description:
      'Reason why the watch is paused or failed. For another state: reason why the last poll failed; the service polls again.',
  },
  startedAt: { ...time, description: 'Time since which the watch reports changes.' },
  polledAt: { ...time, description: 'Time at which the last complete poll ended.' },
  nextPollAt: { ...time, description: 'Time of the next poll. Absent for a stopped watch.' },
};

export const watchSchema = named('Watch', closed({ ...REQUIRED, ...OPTIONAL }, Object.keys(REQUIRED)), {
  toolInput: INPUT,
  state: 'watching',
});

export const newWatchSchema = named(
  'NewWatch',
  closed(
    {
      toolName: { ...text, minLength: 1, maxLength: 128, examples: [TOOL] },
      toolInput,
      connectedAccountId: {
        ...text,
        minLength: 1,
        maxLength: 128,
        description: 'Id of the account. Alternatively, send `connectionName` and `identifier`.',
      },
      connectionName,
      identifier,
      account,
      every,
      from: {
        ...text,
        enum: ['now', 'start'],
        default: 'now',
        description:
          'now: the watch reports only changes from now on. start: the watch first reports the existing items of the list as new items.',
      },
    },
    ['toolName', 'toolInput'],
  ),
  { toolInput: INPUT, connectionName: 'crm', identifier: 'ada' },
);
export const watchSettingsSchema = named(
  'WatchSettings',
  { ...closed({ every, enabled }, []), minProperties: 1 },
  { enabled: true },
);
