import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ada, approved, grace, reporting, sandbox, useVideo } from './setup.js';

useVideo();

const DAY = 24 * 3600 * 1000;
/** Reporting job that the system manages. It was created ten days ago. */
const JOB = 'adaSystemJob';

describe('reports of a reporting job', () => {
  const list = async (query: Record<string, string> = {}, job = JOB, as = ada) =>
    (await reporting('GET', `jobs/${job}/reports`, { pageSize: '100', ...query }, { as })).body;

  test('exist for every day since the creation of the job and for 30 days before', async () => {
    const { reports } = await list();
    expect(reports.length).toBeGreaterThanOrEqual(39);
    expect(reports.length).toBeLessThanOrEqual(40);
    const [latest] = reports;
    expect(Date.parse(latest.endTime) - Date.parse(latest.startTime)).toBe(DAY);
    expect(latest).toMatchObject({
      jobId: JOB,
      downloadUrl: expect.stringContaining(`${sandbox.upstream('video').hosts?.reporting}/v1/media/`),
    });
  });

  test('appear within a day for a new job and are kept for 60 days', async () => {
    const job = { reportTypeId: 'channel_device_os_a3', name: 'Mine' };
    const { body } = await reporting('POST', 'jobs', {}, { body: job });
    expect(await list({}, body.id)).toEqual({});
    await sandbox.clock.advance(DAY);
    const tomorrow = await approved('ada');
    // History reports cover 30 days. The first regular report exists only if it is late enough in the day.
    expect([30, 31]).toContain((await list({}, body.id, tomorrow)).reports.length);
    await sandbox.clock.advance(100 * DAY);
    const later = await approved('ada');
    const { reports } = await list({}, body.id, later);
    expect([59, 60, 61]).toContain(reports.length);
  });

  test('appear once a day for each job, and stay as they are until they expire', async () => {
    const advance = async (ms: number) => {
      await sandbox.clock.advance(ms);
      return approved('ada');
    };
    // The jobs are created at midnight. In the evening, their history would appear after their first regular report.
    const morning = await advance(DAY - ((await sandbox.clock.now()) % DAY));
    const jobs = ['channel_device_os_a3', 'channel_basic_a3'].map(async (reportTypeId) => {
      const body = { reportTypeId, name: 'Daily' };
      const created = await reporting('POST', 'jobs', {}, { body, as: morning });
      return String(created.body.id);
    });
    const [job = '', other = ''] = await Promise.all(jobs);
    // Noon of the next day, because the reports of a day appear in the morning.
    let before = (await list({}, job, await advance(1.5 * DAY))).reports;
    expect(before).toHaveLength(31);
    for (let day = 0; day < 5; day += 1) {
      const as = await advance(DAY);
      const { reports } = await list({}, job, as);
      expect(reports.slice(1)).toEqual(before);
      const [latest, previous] = reports;
      expect(Date.parse(latest.startTime)).toBe(Date.parse(previous.startTime) + DAY);
      expect((await list({ createdAfter: previous.createTime }, job, as)).reports).toEqual([latest]);
      const ofOther = (await list({}, other, as)).reports;
      expect(ofOther).toHaveLength(reports.length);
      const ids = [...reports, ...ofOther].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      before = reports;
    }
  });

  test('stay bounded when the clock advances by a century', async () => {
    await sandbox.clock.advance(36_500 * DAY);
    const as = await approved('ada');
    expect([60, 61]).toContain((await list({}, JOB, as)).reports.length);
  });

  test.each(['createdAfter', 'startTimeAtOrAfter', 'startTimeBefore'])(
    'are filtered by %s',
    async (bound) => {
      const { reports } = await list();
      const { startTime, createTime } = reports[3];
      const bounded = (await list({ [bound]: bound === 'createdAfter' ? createTime : startTime })).reports;
      expect(bounded).toEqual(
        {
          createdAfter: reports.slice(0, 3),
          startTimeAtOrAfter: reports.slice(0, 4),
          startTimeBefore: reports.slice(4),
        }[bound],
      );
    },
  );

  test('are split into pages', async () => {
    const first = await list({ pageSize: '25' });
    const second = await list({ pageSize: '25', pageToken: first.nextPageToken });
    expect([...first.reports, ...second.reports]).toEqual((await list()).reports);
  });

  interface File {
    readonly status: number | undefined;
    readonly encoding: string | undefined;
    readonly type: string | undefined;
    readonly bytes: Buffer;
  }

  const download = (url: string, headers: Record<string, string>): Promise<File> =>
    new Promise((resolve, reject) => {
      request(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            encoding: response.headers['content-encoding'],
            type: response.headers['content-type'],
            bytes: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  test('are downloaded with the bearer token, compressed on request', async () => {
    const { downloadUrl, startTime } = (await list()).reports[5];
    const authorization = `Bearer ${ada.token}`;
    const plain = await download(downloadUrl, { authorization });
    expect([plain.status, plain.encoding, plain.type]).toEqual([200, undefined, 'text/csv; charset=utf-8']);
    const [header, first] = plain.bytes.toString('utf8').split('\n');
    expect(header).toMatch(/^date,channel_id,video_id,views,comments,/);
    expect(first).toMatch(new RegExp(`^${startTime.slice(0, 10).replaceAll('-', '')},UCada`));
    const packed = await download(downloadUrl, { authorization, 'accept-encoding': 'gzip' });
    expect(packed.encoding).toBe('gzip');
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
  });

  test.each([
    { title: 'without a token', headers: () => ({}), error: [401, 'UNAUTHENTICATED'] },
    {
      title: 'with the token of another user',
      headers: () => ({ authorization: `Bearer ${grace.token}` }),
      error: [403, 'PERMISSION_DENIED'],
    },
  ])('are not downloaded $title', async ({ headers, error }) => {
    const { downloadUrl } = (await list()).reports[0];
    const { status, bytes } = await download(downloadUrl, headers());
    expect([status, JSON.parse(bytes.toString('utf8')).error.status]).toEqual(error);
  });
});
