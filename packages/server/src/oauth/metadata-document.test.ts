import { expect, test } from 'vitest';
import { problemOf } from '../connections/endpoint-url.js';
import type { Fetch } from '../http/fetch.js';
import { readFirstMetadata } from './metadata-document.js';

const URLS = ['https://auth.example/1', 'https://auth.example/2'];

/** Reads metadata from a server that returns an HTML page with status 200 for every unknown URL. */
function read(documents: Readonly<Record<string, object>>) {
  const fetch: Fetch = async (url) => {
    const document = documents[String(url)];
    return document ? Response.json(document) : new Response('<!doctype html>');
  };
  return readFirstMetadata(URLS, {
    fetch,
    connector: 'notes',
    problemOf: (_, url) => problemOf(url, () => false),
  });
}

test('O13: a website that responds to every URL does not hide the document at the next one', async () => {
  expect(await read({ 'https://auth.example/2': { issuer: 'https://auth.example' } })).toEqual({
    document: { issuer: 'https://auth.example' },
    isFallback: false,
  });
});

test('O13: the error describes the first URL when no URL has a document', async () => {
  await expect(read({})).rejects.toMatchObject({
    failure: 'unusable',
    message: expect.stringMatching(/not a JSON object/),
  });
});
