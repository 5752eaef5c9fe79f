import { describe, expect, test } from 'vitest';
import { ada, grace, reporting, useVideo } from './setup.js';

useVideo();

const create = (reportTypeId: string | undefined, name: string | undefined = 'Mine') =>
  reporting('POST', 'jobs', {}, { body: { reportTypeId, name } });

describe('report types', () => {
  test('are listed in pages, with system-managed ones on request', async () => {
    const { body } = await reporting('GET', 'reportTypes');
    expect(Object.keys(body)).toEqual(['reportTypes']);
    expect(body.reportTypes[0]).toEqual({ id: 'channel_basic_a3', name: 'User activity' });
    const all = (await reporting('GET', 'reportTypes', { includeSystemManaged: 'true' })).body.reportTypes;
    expect(all.filter(({ systemManaged }: { systemManaged?: boolean }) => systemManaged)).toHaveLength(1);
    const first = (await reporting('GET', 'reportTypes', { pageSize: '3' })).body;
    const second = (await reporting('GET', 'reportTypes', { pageSize: '3', pageToken: first.nextPageToken }))
      .body;
    expect([...first.reportTypes, ...second.reportTypes]).toEqual(body.reportTypes);
    expect(second).not.toHaveProperty('nextPageToken');
  });
});

describe('reporting jobs', () => {
  test('are created, listed and deleted', async () => {
    const made = await create('channel_device_os_a3', 'Devices');
    expect(made).toMatchObject({
      status: 200,
      body: {
        id: expect.any(String),
        reportTypeId: 'channel_device_os_a3',
        name: 'Devices',
        createTime: expect.any(String),
      },
    });
    const list = async (query = {}, as = ada) => (await reporting('GET', 'jobs', query, { as })).body;
    expect(await list()).toEqual({ jobs: [made.body] });
    expect(await list({ includeSystemManaged: 'true' })).toMatchObject({
      jobs: [{ name: 'Estimates', systemManaged: true }, { name: 'Devices' }],
    });
    expect(await list({}, grace)).toEqual({});
    expect(await reporting('DELETE', `jobs/${made.body.id}`)).toMatchObject({ status: 200, body: {} });
    expect(await list()).toEqual({});
  });

  test.each([
    { title: 'a missing report type', call: () => create(undefined), error: [400, 'INVALID_ARGUMENT'] },
    {
      title: 'a missing name',
      call: () => create('channel_device_os_a3', ''),
      error: [400, 'INVALID_ARGUMENT'],
    },
    {
      title: 'a long name',
      call: () => create('channel_device_os_a3', 'x'.repeat(101)),
      error: [400, 'INVALID_ARGUMENT'],
    },
    { title: 'an unknown report type', call: () => create('nothing'), error: [400, 'INVALID_ARGUMENT'] },
    {
      title: 'a deprecated report type',
      call: () => create('channel_basic_a2'),
      error: [400, 'INVALID_ARGUMENT'],
    },
    {
      title: 'a system-managed report type',
      call: () => create('system_estimated_video_a1'),
      error: [403, 'PERMISSION_DENIED'],
    },
    {
      title: 'a second job of the same type',
      async call() {
        await create('channel_basic_a3');
        return create('channel_basic_a3', 'Another');
      },
      error: [409, 'ALREADY_EXISTS'],
    },
    {
      title: 'the deletion of a system-managed job',
      call: () => reporting('DELETE', 'jobs/adaSystemJob'),
      error: [403, 'PERMISSION_DENIED'],
    },
    {
      title: 'the deletion of a missing job',
      call: () => reporting('DELETE', 'jobs/nothing'),
      error: [404, 'NOT_FOUND'],
    },
    {
      title: 'the deletion of the job of another user',
      call: () => reporting('DELETE', 'jobs/adaSystemJob', {}, { as: grace }),
      error: [404, 'NOT_FOUND'],
    },
    {
      title: 'reports of a missing job',
      call: () => reporting('GET', 'jobs/nothing/reports'),
      error: [404, 'NOT_FOUND'],
    },
    {
      title: 'an unknown content owner',
      call: () => reporting('GET', 'jobs', { onBehalfOfContentOwner: 'x' }),
      error: [403, 'PERMISSION_DENIED'],
    },
    {
      title: 'an unknown parameter',
      call: () => reporting('GET', 'jobs', { page_size: '1' }),
      error: [400, 'INVALID_ARGUMENT'],
    },
    {
      title: 'an invalid page token',
      call: () => reporting('GET', 'jobs', { pageToken: 'x' }),
      error: [400, 'INVALID_ARGUMENT'],
    },
  ])('refuse $title', async ({ call, error }) => {
    const { status, body } = await call();
    expect([status, body.error.status]).toEqual(error);
    expect(body.error).not.toHaveProperty('errors');
  });

  test('can use a report type of the channel for its content owner', async () => {
    const owner = { onBehalfOfContentOwner: 'adaContentOwner0000001' };
    const body = { reportTypeId: 'channel_basic_a3', name: 'Owned' };
    expect((await reporting('POST', 'jobs', owner, { body })).status).toBe(200);
    expect((await reporting('GET', 'jobs', owner)).body.jobs).toHaveLength(1);
  });
});
