import type { Client } from '@svc/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { connectAccount } from '../../support/service/service.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

const ACCOUNT = { connectionName: 'video', identifier: 'user_42', method: 'GET' } as const;
const DAY = 24 * 60 * 60_000;

let video: VideoService;
let svc: Client;

beforeAll(async () => {
  video = await startVideo();
  svc = video.service.svc;
});

afterAll(() => video.stop());

beforeEach(() => video.clear());

test.each([
  {
    path: '/youtube/v3/channels',
    queryParams: { part: 'snippet', mine: true },
    data: { kind: 'youtube#channelListResponse' },
  },
  {
    path: '/v2/groups',
    queryParams: { mine: true },
    data: { kind: 'youtube#groupListResponse' },
  },
  { path: '/v1/reportTypes', queryParams: {}, data: { reportTypes: expect.any(Array) } },
])('the proxy sends $path to its host with the access token of the user', async ({ data, ...request }) => {
  const response = await svc.request({ ...ACCOUNT, ...request });

  expect(response.status).toBe(200);
  expect(response.data).toMatchObject(data);
});

test('the proxy refuses an unknown path and names the allowed ones', async () => {
  const error = await rejection(svc.request({ ...ACCOUNT, path: '/drive/v3/files' }));

  expect(error).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/\/youtube\/v3\/.*\/v2\/.*\/v1\//),
  });
  expect(await video.service.sandbox.requests()).toEqual([]);
});

test('the proxy downloads the file of a report, which requires the access token', async () => {
  const { tools, service } = video;
  const { data: job } = await tools.reportingCreateJob({
    report_type_id: 'channel_combined_a3',
    name: 'Daily',
  });
  await service.sandbox.clock.advance(DAY);
  const { data: list } = await tools.reportingListReports({ job_id: job.id });
  const { downloadUrl = '' } = list.reports?.[0] ?? {};

  const bare = await fetch(downloadUrl);
  const file = await svc.request<string>({
    ...ACCOUNT,
    path: downloadUrl.slice(downloadUrl.indexOf('/v1/')),
  });

  expect(bare.status).toBe(401);
  expect(file.status).toBe(200);
  expect(file.data).toMatch(/^date,channel_id,video_id,country_code,device_type,views,/);
});

test('the proxy lists the channels of a content owner, which the tool cannot do', async () => {
  const { app, clientId } = video.service;
  const scopes = ['https://www.googleapis.com/auth/youtubepartner'];
  await app.connections.update(clientId, 'video', { scopes });
  await connectAccount(video.service, 'video', 'partner');

  const response = await svc.request({
    ...ACCOUNT,
    identifier: 'partner',
    path: '/youtube/v3/channels',
    queryParams: {
      part: 'snippet',
      managedByMe: true,
      onBehalfOfContentOwner: 'adaContentOwner0000001',
    },
  });

  expect(response.data).toMatchObject({ items: [{ snippet: { title: 'Ada Lovelace' } }] });
});
