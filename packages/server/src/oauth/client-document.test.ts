import { expect, test, vi } from 'vitest';
import { createReadClientDocument } from './client-document.js';

/** Fakes a server that returns a valid client metadata document for every client id. */
function createServer() {
  const fetch = vi.fn(async (clientId: string | URL) =>
    Response.json({ client_id: clientId, redirect_uris: ['https://app.example/callback'] }),
  );
  return { fetch, read: createReadClientDocument({ fetch, problemOf: () => undefined }) };
}

test('the metadata document at a client id is read', async () => {
  const { read } = createServer();
  expect(await read('https://app.example/client.json', 'agents')).toEqual({
    name: undefined,
    redirectUris: ['https://app.example/callback'],
  });
});

// Spellings that are not canonical. Each would be a second client id for the document of another client.
test.each([
  'https://APP.example/client.json',
  'https://app.example:443/client.json',
  'https://app.example/cl ient.json',
  'https://app.example/a\\client.json',
  'https://app.example/a/../client.json',
  'https:app.example/client.json',
  'https://app.example/client.json\t',
  'https://app.example/',
])('a client id with the spelling %j is refused without a request', async (clientId) => {
  const { fetch, read } = createServer();
  await expect(read(clientId, 'agents')).rejects.toThrow(/client id/);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  { answer: Response.redirect('https://app.example/moved'), says: 'redirects to another URL' },
  { answer: new Response('', { status: 404 }), says: 'responded without a metadata document' },
  { answer: new Response('<p>', { headers: { 'content-type': 'text/html' } }), says: 'other than JSON' },
])('an unusable metadata document is refused, because it $says', async ({ answer, says }) => {
  const read = createReadClientDocument({ fetch: async () => answer, problemOf: () => undefined });
  await expect(read('https://app.example/client.json', 'agents')).rejects.toThrow(says);
});
