import { isList, type NotionOperation } from './operation.js';

export const files: readonly NotionOperation[] = [
  {
    name: 'fileUploads.create',
    call: (notion) =>
      notion.fileUploads.create({ mode: 'single_part', filename: 'note.txt', content_type: 'text/plain' }),
    gives: { object: 'file_upload', status: 'pending' },
    saves: { upload: 'id' },
  },
  {
    name: 'fileUploads.send',
    call: (notion, id) =>
      notion.fileUploads.send({
        file_upload_id: id('upload'),
        file: { filename: 'note.txt', data: new Blob(['A note.'], { type: 'text/plain' }) },
      }),
    gives: { status: 'uploaded' },
  },
  {
    name: 'fileUploads.retrieve',
    call: (notion, id) => notion.fileUploads.retrieve({ file_upload_id: id('upload') }),
    gives: { status: 'uploaded', filename: 'note.txt', content_length: 7 },
  },
  {
    name: 'fileUploads.list',
    call: (notion) => notion.fileUploads.list({ status: 'uploaded' }),
    gives: isList,
  },
  {
    name: 'fileUploads.create, in parts',
    call: (notion) =>
      notion.fileUploads.create({
        mode: 'multi_part',
        filename: 'big.txt',
        content_type: 'text/plain',
        number_of_parts: 2,
      }),
    gives: { number_of_parts: { total: 2, sent: 0 } },
    saves: { parts: 'id' },
  },
  {
    name: 'fileUploads.send, the first part',
    call: (notion, id) =>
      notion.fileUploads.send({
        file_upload_id: id('parts'),
        part_number: '1',
        file: { filename: 'big.txt', data: new Blob(['a'.repeat(1000)]) },
      }),
    gives: { number_of_parts: { total: 2, sent: 1 } },
  },
  {
    name: 'fileUploads.send, the second part',
    call: (notion, id) =>
      notion.fileUploads.send({
        file_upload_id: id('parts'),
        part_number: '2',
        file: { filename: 'big.txt', data: new Blob(['b']) },
      }),
    gives: { number_of_parts: { total: 2, sent: 2 } },
  },
  {
    name: 'fileUploads.complete',
    call: (notion, id) => notion.fileUploads.complete({ file_upload_id: id('parts') }),
    gives: { status: 'uploaded' },
  },
  {
    name: 'fileUploads.complete, twice',
    call: (notion, id) => notion.fileUploads.complete({ file_upload_id: id('parts') }),
    throws: { code: 'validation_error' },
  },
  {
    name: 'blocks.children.append, an uploaded file',
    call: (notion, id) =>
      notion.blocks.children.append({
        block_id: id('page'),
        children: [{ file: { type: 'file_upload', file_upload: { id: id('upload') } } }],
      }),
    gives: isList,
  },
  {
    name: 'customEmojis.list',
    call: (notion) => notion.customEmojis.list(),
    gives: { type: 'custom_emoji' },
  },
];
