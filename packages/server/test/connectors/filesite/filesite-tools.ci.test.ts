import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, type FilesiteService, startFilesite } from '../../support/upstreams/start-filesite.js';

let started: FilesiteService;

beforeAll(async () => {
  started = await startFilesite();
});

afterAll(() => started.stop());

beforeEach(() => started.clear());

// biome-ignore lint/suspicious/noExplicitAny: results are read freely in expectations
const run = async (name: string, toolInput: object): Promise<any> =>
  (
    await started.service.svc.call<{ data: unknown }>({
      method: 'POST',
      path: `/v1/tools/filesite_${name}/execute`,
      body: { ...ACCOUNT, toolInput },
    })
  ).data;

interface ZipEntry {
  readonly name: string;
  readonly text: string;
  /** Size in bytes that the archive declares. Default: the true size. A false size imitates a ZIP bomb. */
  readonly declared?: number;
}

/** Builds a ZIP archive of these entries. */
function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, declared = Buffer.byteLength(text) } of entries) {
    const data = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(declared, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const WORDS =
  '<w:document><w:body><w:p><w:r><w:t>Tea &amp; cake</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">at </w:t><w:tab/><w:t>four</w:t></w:r></w:p></w:body></w:document>';
const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
const SHEET =
  '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>42</v></c></row><row r="2"><c r="B2" t="inlineStr"><is><t>x</t></is></c></row></sheetData>';

const readUploaded = async (path: string, content: Buffer) => {
  await run('upload_file', { path, base64: content.toString('base64'), conflict: 'replace' });
  return run('read_document', { path });
};

describe('the read tools of filesite', () => {
  test('find a site by words, by page and by a URL below it', async () => {
    const first = await run('find_site', { query: '*', max_results: 1 });
    expect(first).toMatchObject({
      sites: [{ title: 'Communication site' }],
      next_page_token: expect.any(String),
    });
    const next = await run('find_site', { query: '*', max_results: 1, page_token: first.next_page_token });
    expect(next.sites).toMatchObject([{ title: 'Marketing' }]);
    for (const url of [
      'https://contoso.sharepoint.com/sites/Marketing/Shared%20Documents/a%20b.docx?web=1',
      'https://contoso.sharepoint.com/:w:/s/Marketing/EZ1a?e=4',
      'https://contoso.sharepoint.com/:w:/r/sites/marketing/Shared%20Documents/a.docx',
    ])
      expect(await run('find_site', { url })).toEqual({ sites: next.sites });
    expect(await run('find_site', { url: 'https://contoso.sharepoint.com/' })).toEqual({
      sites: first.sites,
    });
  });

  test('list a folder by path and by id, without download links', async () => {
    const top = await run('list_folder', { max_results: 1 });
    expect(top).toMatchObject({ items: [{ name: 'Reports', kind: 'folder', child_count: 1 }] });
    const [{ drive_id, id }] = top.items;
    const below = await run('list_folder', { drive_id, folder_id: id });
    expect(below.items).toMatchObject([{ name: '2026 budget.csv', kind: 'file', mime_type: 'text/csv' }]);
    expect(await run('list_folder', { path: '/Reports' })).toEqual(below);
    const rest = await run('list_folder', { max_results: 1, page_token: top.next_page_token });
    expect(rest.items).toMatchObject([{ name: 'welcome.txt' }]);
    expect(JSON.stringify([below, rest])).not.toContain('tempauth');
  });

  test('search the files of all sites and read a result', async () => {
    const results = await run('search_files', { query: 'engineering filetype:csv', max_results: 2 });
    expect(results).toMatchObject({ next_from: 2, hits: [{ hitId: expect.any(String) }, {}] });
    const only = await run('search_files', {
      query: 'marketing path:"https://contoso.sharepoint.com/sites/marketing" filetype:csv',
    });
    expect(only).toMatchObject({ total: 1, next_from: null });
    const [{ hitId, resource }] = only.hits;
    const read = await run('read_document', { item_id: hitId, drive_id: resource.parentReference.driveId });
    expect(read.text).toContain('marketing,1200');
    expect(await run('search_files', { query: 'xylophone' })).toEqual({ total: 0, next_from: null });
  });
});

describe('the write tools of filesite', () => {
  test('create a folder, store a text in it once, and share it', async () => {
    await run('create_folder', { name: 'Notes & more', path: 'Reports' });
    await expect(run('create_folder', { name: 'Notes & more', path: 'Reports' })).rejects.toMatchObject({
      code: 'upstream_failed',
      status: 409,
    });
    const path = 'Reports/Notes & more/50 % #1.txt';
    const file = await run('upload_file', { path, text: 'Grüße' });
    expect(file).toMatchObject({ name: '50 % #1.txt', size: 7, mime_type: 'text/plain' });
    await expect(run('upload_file', { path, text: 'b' })).rejects.toMatchObject({ status: 409 });
    expect(await run('upload_file', { path, text: 'b', conflict: 'rename' })).toMatchObject({
      name: '50 % #1 1.txt',
    });
    expect(await run('read_document', { path })).toMatchObject({ text: 'Grüße', total_characters: 5 });
    const input = { drive_id: file.drive_id, item_id: file.id, type: 'edit' };
    const link = await run('create_share_link', input);
    expect(link).toMatchObject({
      url: expect.stringMatching(/^https:/),
      type: 'edit',
      scope: 'organization',
    });
    expect(await run('create_share_link', input)).toEqual(link);
  });

  test.each([
    { title: 'a path with parent segments', name: 'upload_file', input: { path: 'a/../../b', text: '' } },
    { title: 'a forbidden character', name: 'list_folder', input: { path: 'a:b' } },
    { title: 'an empty name', name: 'read_document', input: { path: 'a//b' } },
    { title: 'a folder name with a slash', name: 'create_folder', input: { name: 'a/b' } },
    { title: 'an id with a slash', name: 'read_document', input: { item_id: 'a/b' } },
    { title: 'a file above 4 MiB', name: 'upload_file', input: { path: 'a', text: 'ü'.repeat(2_100_000) } },
    {
      title: 'a URL with a port',
      name: 'find_site',
      input: { url: 'https://a.example:8443/sites/b' },
    },
  ])('refuses $title and sends nothing', async ({ name, input }) => {
    await expect(run(name, input)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await started.sent()).toEqual([]);
  });
});

test.each([
  { name: 'upload_file', input: { path: 'dry.txt', text: 'a' }, method: 'PUT' },
  { name: 'read_document', input: { path: 'welcome.txt' }, method: 'GET' },
])('a dry run of $name returns its request and sends none', async ({ name, input, method }) => {
  const { dryRun } = await started.service.svc.call<{ dryRun: { requests: unknown[] } }>({
    method: 'POST',
    path: `/v1/tools/filesite_${name}/execute`,
    body: { ...ACCOUNT, toolInput: input, dryRun: true },
  });
  expect(dryRun.requests).toMatchObject([{ method, isSent: false }]);
  expect(await started.sent()).toEqual([]);
});

describe('the read_document tool', () => {
  test('returns parts without half emojis, whose ends meet', async () => {
    const [path, text] = ['emojis.txt', `x${'😀'.repeat(120)}`];
    await run('upload_file', { path, text, conflict: 'replace' });
    const parts: string[] = [];
    for (let start: number | undefined = 0; start !== undefined; ) {
      const part = await run('read_document', { path, start, max_characters: 100 });
      expect(part.text.isWellFormed()).toBe(true);
      parts.push(part.text);
      start = part.next_start;
    }
    expect(parts.join('')).toBe(text);
    const fromHalf = await run('read_document', { path, start: 2, max_characters: 100 });
    expect(fromHalf.text).toBe('😀'.repeat(50));
  });

  test('downloads without the credential of the account', async () => {
    await run('read_document', { path: 'welcome.txt' });
    const [request, ...others] = await started.sent('signed');
    expect(others).toEqual([]);
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    {
      path: 'a.docx',
      entries: [{ name: 'word/document.xml', text: WORDS }],
      text: 'Tea & cake\nat \tfour\n',
    },
    {
      path: 'half.docx',
      entries: [{ name: 'word/document.xml', text: '<w:p><w:t>a&#xD83D;b</w:t></w:p>' }],
      text: 'a\ufffdb\n',
    },
    {
      path: 'b.pptx',
      entries: [
        { name: 'ppt/slides/slide10.xml', text: slide('End') },
        { name: 'ppt/slides/slide2.xml', text: slide('Begin') },
      ],
      text: '--- Slide 2 ---\nBegin\n--- Slide 10 ---\nEnd\n',
    },
    {
      path: 'c.xlsx',
      entries: [
        { name: 'xl/sharedStrings.xml', text: '<sst><si><t>sum </t><r><t>of it</t></r></si></sst>' },
        { name: 'xl/worksheets/sheet1.xml', text: SHEET },
      ],
      text: '--- Sheet 1 ---\nsum of it\t\t42\n\tx\n',
    },
  ])('returns the text of $path', async ({ path, entries, text }) => {
    expect(await readUploaded(path, zipOf(entries))).toMatchObject({ text, total_characters: text.length });
  });

  test('decodes UTF-16 and Windows-1252', async () => {
    expect((await readUploaded('a.txt', Buffer.from('\ufeffGrüße', 'utf16le'))).text).toBe('Grüße');
    expect((await readUploaded('b.txt', Buffer.from('Grüße', 'latin1'))).text).toBe('Grüße');
  });

  test('returns a long text in parts', async () => {
    await run('upload_file', { path: 'long.txt', text: 'a'.repeat(150), conflict: 'replace' });
    const first = await run('read_document', { path: 'long.txt', max_characters: 100 });
    expect(first).toMatchObject({ text: 'a'.repeat(100), next_start: 100, total_characters: 150 });
    const rest = await run('read_document', { path: 'long.txt', max_characters: 100, start: 100 });
    expect(rest.text).toBe('a'.repeat(50));
    expect(rest).not.toHaveProperty('next_start');
  });

  const bomb = '\0'.repeat(17 * 1024 * 1024);
  test.each([
    {
      title: 'a zip bomb',
      path: 'd.docx',
      content: zipOf([{ name: 'word/document.xml', text: bomb }]),
      says: '16 MiB',
    },
    {
      title: 'a zip bomb that declares a small size',
      path: 'e.docx',
      content: zipOf([{ name: 'word/document.xml', text: bomb, declared: 100 }]),
      says: 'damaged',
    },
    {
      title: 'a file that is no archive',
      path: 'f.docx',
      content: Buffer.from('PK, but no archive at all'),
      says: 'not a ZIP',
    },
    { title: 'an empty file', path: 'g.docx', content: Buffer.alloc(0), says: 'not a ZIP' },
    {
      title: 'a truncated archive',
      path: 'h.docx',
      content: zipOf([{ name: 'word/document.xml', text: WORDS }]).subarray(60),
      says: 'damaged',
    },
    {
      title: 'another file type',
      path: 'i.pdf',
      content: Buffer.from('%PDF'),
      says: 'application/octet-stream',
    },
  ])('refuses $title and names the web URL of the file', async ({ path, content, says }) => {
    const refused = await readUploaded(path, content).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(`${says}.*https://contoso.sharepoint.com/`)),
    });
    expect(JSON.stringify(refused)).not.toContain('tempauth');
  });
});
