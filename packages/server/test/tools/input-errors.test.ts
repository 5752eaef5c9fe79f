import { InvalidInputError } from '@svc/core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { executeTool } from '../support/tools/execute-tool.js';

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: { readonly errors: readonly { readonly field: string; readonly rule: string }[] };
  };
}

const ID = '59833787-2cf9-4fdf-8782-e53db20768a5';

let service: Service;
let application: Application;
let accountIds: { readonly workspace: string; readonly calendar: string };

beforeAll(async () => {
  service = await startService();
  application = await signIn(service);
  const workspace = await connectAccount(service, 'workspace');
  const calendar = await connectAccount(service, 'calendar');
  accountIds = { workspace: workspace.id, calendar: calendar.id };
});

afterAll(() => service.stop());

beforeEach(() => service.sandbox.clearRequests());

// Checks after each test that the invalid call sent nothing to the upstream.
afterEach(async () => expect(await service.sandbox.requests()).toEqual([]));

test.each([
  {
    title: 'an event',
    connector: 'calendar' as const,
    toolName: 'calendar_create_event',
    toolInput: {
      sumary: 'Review',
      start_datetime: 'tomorrow',
      event_duration_hour: -1,
      event_duration_minutes: 'thirty',
      recurrence: ['DAILY'],
      visibility: 'secret',
      attendees_emails: ['grace'],
    },
    broken: [
      ['summary', 'required'],
      ['sumary', 'additionalProperties'],
      ['start_datetime', 'format'],
      ['event_duration_hour', 'minimum'],
      ['event_duration_minutes', 'type'],
      ['recurrence[0]', 'pattern'],
      ['timezone', 'requiredWith'],
      ['visibility', 'enum'],
      ['attendees_emails[0]', 'format'],
    ],
  },
  {
    title: 'a list of events',
    connector: 'calendar' as const,
    toolName: 'calendar_list_events',
    toolInput: {
      order_by: 'startTime',
      max_results: 2501,
      time_min: '2026-12-02T00:00:00Z',
      time_max: '2026-12-01T00:00:00Z',
    },
    broken: [
      ['single_events', 'requiredWhen'],
      ['max_results', 'maximum'],
      ['time_min', 'before'],
    ],
  },
  {
    title: 'a page with two parents',
    connector: 'workspace' as const,
    toolName: 'workspace_page_create',
    toolInput: { database_id: ID, parent_page_id: 'page/../1', child_blocks: 'Hello' },
    broken: [
      ['', 'exactlyOneOf'],
      ['properties', 'requiredWith'],
      ['parent_page_id', 'format'],
      ['child_blocks', 'type'],
    ],
  },
  {
    title: 'a query with a sort by two criteria',
    connector: 'workspace' as const,
    toolName: 'workspace_database_query',
    toolInput: {
      database_id: ID,
      page_size: 101,
      sorts: [{ direction: 'ascending' }, { property: 'Due', timestamp: 'created_time', direction: 'up' }],
    },
    broken: [
      ['page_size', 'maximum'],
      ['sorts[0]', 'exactlyOneOf'],
      ['sorts[1]', 'exactlyOneOf'],
      ['sorts[1].direction', 'enum'],
    ],
  },
  {
    title: 'a comment without a parent',
    connector: 'workspace' as const,
    toolName: 'workspace_comment_create',
    toolInput: { comment: { rich_text: [] }, workspace_version: 'newest' },
    broken: [
      ['', 'exactlyOneOf'],
      ['comment.rich_text', 'minItems'],
      ['workspace_version', 'format'],
    ],
  },
])(
  'an invalid input gets every broken rule at once: $title',
  async ({ connector, toolName, toolInput, broken }) => {
    const reply = await executeTool(application, toolName, {
      toolInput,
      connectedAccountId: accountIds[connector],
    });

    const { error } = reply.json<ErrorBody>();
    expect(reply.status).toBe(400);
    expect(reply.headers.get('svc-error')).toBe('invalid_input');
    expect(error.code).toBe('invalid_input');
    const reported = error.details.errors.map(({ field, rule }) => [field, rule]);
    expect(reported.toSorted()).toEqual(broken.toSorted());
  },
);

test('an input error names the types of values, never the values', async () => {
  const reply = await executeTool(application, 'calendar_create_event', {
    connectedAccountId: accountIds.calendar,
    toolInput: { summary: 5, start_datetime: 'private matter', location: ['hidden location'] },
  });

  expect(reply.json()).toMatchObject({
    error: {
      details: {
        errors: [
          { field: 'summary', received: 'number' },
          { field: 'start_datetime', received: 'string' },
          { field: 'location', received: 'array' },
        ],
      },
    },
  });
  expect(reply.text).not.toMatch(/private matter|hidden location/);
});

test('an input error contains every broken rule', async () => {
  const call = { toolName: 'calendar_get_event_by_id' as string, connectedAccountId: accountIds.calendar };

  const error = await rejection(service.svc.executeTool({ ...call, toolInput: { id: 'x' } }));

  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error).toMatchObject({
    status: 400,
    message: expect.stringMatching(/"event_id" is required.*"id" is not a known field/),
    errors: [
      { field: 'event_id', rule: 'required' },
      { field: 'id', rule: 'additionalProperties', received: 'string' },
    ],
  });
});

test.each([
  {
    title: 'a block in the format of the upstream',
    block: { type: 'paragraph', paragraph: { rich_text: [] } },
    field: /^blocks\[1\]/,
  },
  {
    title: 'a text that is too long for one block',
    block: { type: 'paragraph', text: 'x'.repeat(200_001) },
    field: /^blocks\[1\]\.text$/,
  },
  {
    title: 'a language on a paragraph',
    block: { type: 'paragraph', text: 'x', language: 'python' },
    field: /^blocks\[1\]\.language$/,
  },
])(
  'an invalid second block refuses the whole input before anything is sent: $title',
  async ({ block, field }) => {
    const reply = await executeTool(application, 'workspace_blocks_append', {
      connectedAccountId: accountIds.workspace,
      toolInput: { block_id: ID, blocks: [{ type: 'paragraph', text: 'Good' }, block] },
    });

    const { error } = reply.json<ErrorBody>();
    expect([reply.status, error.code]).toEqual([400, 'invalid_input']);
    expect(error.details.errors.map((broken) => broken.field)).toContainEqual(expect.stringMatching(field));
  },
);

test.each(['..', 'a/../../users/me', 'a\nb'])(
  'the id %j in a path is refused, and the error names its field',
  async (id) => {
    const ids = { calendar_id: 'primary', event_id: id };
    const account = { connectedAccountId: accountIds.calendar };

    const replies = [
      await executeTool(application, 'calendar_get_event_by_id', { ...account, toolInput: ids }),
      await executeTool(application, 'calendar_list_events', { ...account, toolInput: { calendar_id: id } }),
    ];

    expect(replies.map((reply) => reply.json<ErrorBody>().error)).toMatchObject([
      { code: 'invalid_input', details: { errors: [{ field: 'event_id', rule: 'segment' }] } },
      { code: 'invalid_input', details: { errors: [{ field: 'calendar_id', rule: 'segment' }] } },
    ]);
  },
);
