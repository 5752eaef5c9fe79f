import { describe, expect, test } from 'vitest';
import { ada, paragraph, search, text, UNKNOWN, useWorkspace, V22, V26 } from './setup.js';

useWorkspace();

describe('validation of the workspace API', () => {
  const long = 'x'.repeat(2001);
  const many = (count: number) => Array.from({ length: count }, () => paragraph('x'));
  const nested = {
    paragraph: {
      rich_text: [],
      children: [
        {
          paragraph: {
            rich_text: [],
            children: [{ paragraph: { rich_text: [], children: [paragraph('x')] } }],
          },
        },
      ],
    },
  };

  test.each([
    {
      title: 'an id that is not a UUID',
      method: 'GET',
      path: '/v1/pages/abc',
      message: 'path failed validation: path.page_id should be a valid uuid, instead was `"abc"`.',
    },
    {
      title: 'more than 100 children',
      path: '/children',
      body: { children: many(131) },
      message: 'body failed validation: body.children.length should be ≤ `100`, instead was `131`.',
    },
    {
      title: 'more than 2000 characters',
      path: '/children',
      body: { children: [paragraph(long)] },
      message:
        'body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    },
    {
      title: 'more than 100 items of rich text',
      path: '/children',
      body: { children: [{ paragraph: { rich_text: Array.from({ length: 101 }, () => text('x')[0]) } }] },
      message:
        'body failed validation: body.children[0].paragraph.rich_text.length should be ≤ `100`, instead was `101`.',
    },
    {
      title: 'three levels of children',
      path: '/children',
      body: { children: [nested] },
      message: /children\[0\]\.paragraph\.children should be not present/,
    },
    {
      title: 'an unknown key',
      path: '/children',
      body: { children: [], extra: 1 },
      message: 'body failed validation: body.extra should be not present, instead was `1`.',
    },
    {
      title: 'missing children',
      path: '/children',
      body: {},
      message: 'body failed validation: body.children should be defined, instead was `undefined`.',
    },
    {
      title: 'an unknown block type',
      path: '/children',
      body: { children: [{ type: 'song', song: {} }] },
      message: /^body failed validation\. Fix one:\nbody\.children\[0\]\.paragraph should be defined/,
    },
    {
      title: 'code without a language',
      path: '/children',
      body: { children: [{ code: { rich_text: [] } }] },
      message: /code\.language should be defined/,
    },
    {
      title: 'an unknown language',
      path: '/children',
      body: { children: [{ code: { rich_text: [], language: 'js' } }] },
      message: /code\.language should be `"abap"`/,
    },
    {
      title: 'position in an old version',
      path: '/children',
      body: { children: [], position: { type: 'start' } },
      message: /body\.position should be not present/,
    },
    {
      title: 'after in the newest version',
      path: '/children',
      headers: V26,
      body: { children: [], after: UNKNOWN },
      message: /body\.after should be not present/,
    },
  ])('refuses $title', async ({ method = 'PATCH', path, body, message, headers = V22 }) => {
    const page = await search('Welcome', 'page');
    const url = path === '/children' ? `/v1/blocks/${page}/children` : path;
    const response = await ada.call(method, url, { headers, ...(body === undefined ? {} : { body }) });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    if (typeof message === 'string') expect(response.body.message).toBe(message);
    else expect(response.body.message).toMatch(message);
  });

  test.each([
    { size: '0', message: 'query failed validation: query.page_size should be ≥ `1`, instead was `0`.' },
    {
      size: '101',
      message: 'query failed validation: query.page_size should be ≤ `100`, instead was `101`.',
    },
    {
      size: 'ten',
      message: 'query failed validation: query.page_size should be a number, instead was `"ten"`.',
    },
  ])('refuses a page size of $size', async ({ size, message }) => {
    expect((await ada.call('GET', `/v1/users?page_size=${size}`)).body.message).toBe(message);
  });
});
