import { describe, expect, test } from 'vitest';
import { callApi, requestToken } from '../authorized.js';
import {
  ada,
  analytics,
  approved,
  data,
  grace,
  read,
  reason,
  reporting,
  sandbox,
  useVideo,
} from './setup.js';

useVideo();

describe('the daily quota', () => {
  const list = (as = ada) => read('channels', { part: 'id', mine: 'true' }, as);
  const rate = () => data('POST', 'videos/rate', { id: 'graceCobol1', rating: 'like' });

  test('charges 1 unit for a list, 50 for a change and 1 for a refused request', async () => {
    await sandbox.dials('video', { quotaPerDay: 52 });
    expect((await list()).status).toBe(200);
    expect((await rate()).status).toBe(204);
    expect(reason(await read('channels', {}))).toEqual([400, 'missingRequiredParameter']);
    const response = await list();
    expect(response.body.error.errors).toMatchObject([{ domain: 'youtube.quota', reason: 'quotaExceeded' }]);
    expect(response.status).toBe(403);
  });

  test.each([
    ['GET', 'captions/nothing', 200],
    ['POST', 'captions', 400],
    ['PUT', 'captions', 450],
    ['POST', 'thumbnails/set', 50],
    ['GET', 'liveBroadcasts', 1],
  ])('charges %s %s with %i units', async (method, resource, units) => {
    await sandbox.dials('video', { quotaPerDay: units });
    expect(reason(await data(method, resource))).not.toContain('quotaExceeded');
    expect(reason(await list())).toEqual([403, 'quotaExceeded']);
    await sandbox.reset();
    await sandbox.dials('video', { quotaPerDay: units - 1 });
    const again = await approved('ada');
    expect(reason(await data(method, resource, {}, { as: again }))).toEqual([403, 'quotaExceeded']);
  });

  test('belongs to the application and is renewed at midnight in California', async () => {
    await sandbox.dials('video', { quotaPerDay: 50 });
    await rate();
    expect(reason(await list())).toEqual([403, 'quotaExceeded']);
    expect((await list(grace)).status).toBe(200);
    await sandbox.clock.advance(24 * 3600 * 1000);
    const { body } = await requestToken(sandbox, 'video', {
      client: ada.client,
      form: { grant_type: 'refresh_token', refresh_token: ada.refreshToken },
    });
    const url = `${sandbox.upstream('video').baseUrl}/youtube/v3/channels?part=id&mine=true`;
    expect((await callApi(url, 'GET', { token: body.access_token, headers: {} })).status).toBe(200);
  });

  test('counts searches separately by calls', async () => {
    await sandbox.dials('video', { quotaPerDay: 0, searchesPerDay: 2 });
    const search = () => read('search', { part: 'snippet', q: 'engine' });
    expect([(await search()).status, (await search()).status]).toEqual([200, 200]);
    expect(reason(await search())).toEqual([403, 'quotaExceeded']);
    expect(reason(await list())).toEqual([403, 'quotaExceeded']);
  });

  test('does not apply to the analytics and reporting hosts', async () => {
    await sandbox.dials('video', { quotaPerDay: 0 });
    expect((await analytics('GET', 'groups', { mine: 'true' })).status).toBe(200);
    expect((await reporting('GET', 'jobs')).status).toBe(200);
  });
});
