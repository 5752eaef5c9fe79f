import { expect, test } from 'vitest';
import { OFFICE_FORMATS } from './office-text.js';
import { readDocument } from './read-document.js';

const text = { name: 'notes.txt', file: { mimeType: 'text/plain' }, size: 5 };
const link = { '@microsoft.graph.downloadUrl': 'https://files.example.com/1' };
const TEXT_FILE = 'Choose a text file of at most 10 MiB.';
const UNREADABLE = [
  { title: 'a folder', item: { name: 'Plans', folder: {} }, advice: TEXT_FILE },
  {
    title: 'a picture',
    item: { ...text, name: 'a.png', file: { mimeType: 'image/png' } },
    advice: TEXT_FILE,
  },
  { title: 'a large file', item: { ...text, size: 11 * 2 ** 20 }, advice: TEXT_FILE },
  {
    title: 'a file without a download link',
    item: text,
    advice: 'Choose another file, or ask an administrator of the site to allow the download.',
  },
  { title: 'a broken document', item: { ...text, name: 'a.docx', ...link }, advice: TEXT_FILE },
];

const read = (item: object) =>
  readDocument(
    { site_id: 'root', path: 'notes.txt', start: 0, max_characters: 100 },
    async () => item as never,
    { download: async () => Buffer.from('no archive'), takeMemory: () => undefined } as never,
  );

test.each(UNREADABLE)(
  'the error for $title names the address of the file only if it has one',
  async ({ item, advice }) => {
    const at = (webUrl: object) => read({ ...item, ...webUrl }).catch((error: Error) => error.message);
    expect(await at({ webUrl: 'https://site.example.com/x' })).toMatch(
      /Open it at https:\/\/site\.example\.com\/x\.$/,
    );
    const without = await at({});
    expect(String(without).endsWith(`. ${advice}`)).toBe(true);
    expect(without).not.toContain('undefined');
  },
);

test('the text of a document has no unknown entity, not even one that names a property of every object', () => {
  const texts: string[] = [];
  const collector = {
    add: (each: string) => void texts.push(each),
    isFull: () => false,
    end: () => ({}) as never,
  };
  const parts = new Map([['word/document.xml', '<w:p><w:t>a &amp; b&toString;&#33;</w:t></w:p>']]);
  OFFICE_FORMATS.get('docx')?.add(parts, collector);
  expect(texts.join('').trim()).toBe('a & b!');
});
