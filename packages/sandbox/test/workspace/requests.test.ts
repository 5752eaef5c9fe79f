import { describe, expect, test } from 'vitest';
import { callApi, connect } from '../authorized.js';
import { ada, sandbox, search, UNKNOWN, useWorkspace, V22, V25 } from './setup.js';

useWorkspace();

describe('a request to the workspace API', () => {
  test('returns its id in a header and in the error body', async () => {
    const { headers, body } = await ada.call('GET', `/v1/pages/${UNKNOWN}`);
    expect(headers.get('x-notion-request-id')).toBe(body.request_id);
    expect(body).toMatchObject({ object: 'error', status: 404, code: 'object_not_found' });
    expect(body.message).toBe(
      `Could not find page with ID: ${UNKNOWN}. Make sure the relevant pages and databases are shared with your integration.`,
    );
  });

  test.each([
    {
      title: 'a missing token',
      request: { token: '', headers: V22 },
      status: 401,
      code: 'unauthorized',
      message: 'API token is invalid.',
    },
    {
      title: 'a wrong token',
      request: { token: 'ntn_wrong', headers: V22 },
      status: 401,
      code: 'unauthorized',
      message: 'API token is invalid.',
    },
    {
      title: 'a missing version header',
      request: { headers: {} },
      status: 400,
      code: 'missing_version',
      message:
        'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    },
    {
      title: 'an unknown version',
      request: { headers: { 'notion-version': '2020-01-01' } },
      status: 400,
      code: 'validation_error',
    },
  ])('is refused with $title', async ({ request, status, code, message }) => {
    const response = await callApi(`${sandbox.upstream('workspace').baseUrl}/v1/users/me`, 'GET', {
      token: ada.token,
      ...request,
    });
    expect(response).toMatchObject({
      status,
      body: { object: 'error', status, code, ...(message === undefined ? {} : { message }) },
    });
  });

  test.each([
    { title: 'an unknown path', method: 'GET', path: '/v1/nothing', headers: V22 },
    {
      title: 'a database query under a version with data sources',
      method: 'POST',
      path: `/v1/databases/${UNKNOWN}/query`,
      headers: V25,
    },
    {
      title: 'a data source under an old version',
      method: 'GET',
      path: `/v1/data_sources/${UNKNOWN}`,
      headers: V22,
    },
  ])('is refused as an invalid URL for $title', async ({ method, path, headers }) => {
    const { status, body } = await ada.call(method, path, { headers });
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'invalid_request_url',
      message: 'Invalid request URL.',
    });
  });

  test.each([
    { title: 'broken JSON', body: '{', code: 'invalid_json' },
    { title: 'a body that is not an object', body: '[]', code: 'validation_error' },
  ])('is refused with $title in the body', async ({ body, code }) => {
    expect(await ada.call('POST', '/v1/search', { body })).toMatchObject({ status: 400, body: { code } });
  });

  test('is refused if its body is larger than 500 KB', async () => {
    expect(await ada.call('POST', '/v1/search', { body: { query: 'x'.repeat(512_001) } })).toMatchObject({
      status: 413,
    });
  });

  test('sees only the workspace of the user who gave consent', async () => {
    const page = await search('Welcome', 'page');
    const grace = await connect(sandbox, 'workspace', { user: 'grace', headers: V22 });
    expect((await grace.call('GET', `/v1/pages/${page}`)).status).toBe(404);
    expect((await grace.call('GET', '/v1/users/me')).body.bot.workspace_name).toBe(
      "Grace Hopper's Workspace",
    );
  });
});
