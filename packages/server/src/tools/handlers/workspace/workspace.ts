import { segment } from '@svc/catalog';
import type { Handlers } from '../../../generated/handlers.js';
import { listIn, objectIn, withoutUndefined } from '../json.js';
import { appendBlocks } from './append.js';
import { toBlock, toTextContent } from './block.js';
import { blockText } from './block-text.js';
import { createPage, withTitleKey } from './create-page.js';
import { duplicatePage } from './duplicate-page.js';
import { fetchWithSources } from './fetch-with-sources.js';
import { toRichText } from './rich-text.js';
import { uploadFile } from './upload-file.js';
import { DATA_SOURCE_VERSION } from './version.js';
import { writeMarkdown } from './write-markdown.js';

export const workspace: Pick<Handlers, Extract<keyof Handlers, `workspace_${string}`>> = {
  // A handler is necessary to send one more request for each data source in the response.
  workspace_data_source_fetch: ({ database_id }, send) => fetchWithSources(database_id, send),

  // A handler is necessary to convert blocks in the simplified format, and to append blocks that exceed the limits of
  // one request.
  workspace_database_insert_row: ({ database_id, ...page }, send) =>
    createPage(page, send, { parent: { type: 'database_id', database_id } }),

  // A handler is necessary to convert and split the blocks of a new row of a data source.
  workspace_data_source_insert_row: ({ data_source_id, ...page }, send) =>
    createPage(page, send, {
      parent: { type: 'data_source_id', data_source_id },
      version: DATA_SOURCE_VERSION,
    }),

  // A handler is necessary to convert and split the blocks of a new page.
  workspace_page_create: ({ database_id, parent_page_id, workspace_version, ...page }, send) =>
    createPage(page, send, {
      parent:
        database_id === undefined
          ? { type: 'page_id', page_id: parent_page_id }
          : { type: 'database_id', database_id },
      version: workspace_version,
    }),

  // A handler is necessary to rename the key of the title, because the name of the title column differs between
  // databases.
  workspace_page_update: ({ page_id, properties, ...rest }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/pages/${segment(page_id, 'page_id')}`,
      body: withoutUndefined({ properties: properties && withTitleKey(properties), ...rest }),
    }),

  // A handler is necessary to choose between two endpoints, and to build the Markdown command of the second endpoint.
  workspace_page_write_markdown: writeMarkdown,

  // A handler is necessary to encode text, to check the size in bytes, and to send up to three requests.
  workspace_file_upload: uploadFile,

  // A handler is necessary to convert property values that the upstream returns to values that it accepts.
  workspace_page_duplicate: duplicatePage,

  // A handler is necessary to split long text into pieces, because the upstream limits the length of one piece.
  workspace_database_update: ({ database_id, title, description, properties }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/databases/${segment(database_id, 'database_id')}`,
      body: withoutUndefined({
        title: title === undefined ? undefined : toRichText(title, 'title'),
        description: description === undefined ? undefined : toRichText(description, 'description'),
        properties,
      }),
    }),

  // A handler is necessary to convert blocks in the simplified format, and to split them into several requests.
  workspace_blocks_append: ({ block_id, blocks }, send) =>
    appendBlocks(
      blocks.map((block, index) => toBlock(block, `blocks[${index}]`)),
      send,
      block_id,
    ),

  // A handler is necessary to split long text into pieces, and to convert names of programming languages.
  workspace_block_update: ({ block_id, ...content }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/blocks/${segment(block_id, 'block_id')}`,
      body: toTextContent(content, ''),
    }),

  // A handler is necessary to add the plain text of each block, because each block type stores its text in another
  // field.
  workspace_block_children_list: async ({ block_id, ...paging }, send) => {
    const path = `/v1/blocks/${segment(block_id, 'block_id')}/children`;
    const list = objectIn(await send({ method: 'GET', path, query: paging }), 'a list of blocks');
    const results = listIn(list, 'results').map((block) => ({
      ...objectIn(block, 'a list of blocks'),
      text: blockText(block),
    }));
    return { ...list, results };
  },
};
