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
  // Sends one more request for each data source of the response.
  workspace_data_source_fetch: ({ database_id }, send) => fetchWithSources(database_id, send),

  // Converts simple blocks, and appends in batches those that do not fit into the first request.
  workspace_database_insert_row: ({ database_id, ...page }, send) =>
    createPage(page, send, { parent: { type: 'database_id', database_id } }),

  // Inserts a row below a data source.
  workspace_data_source_insert_row: ({ data_source_id, ...page }, send) =>
    createPage(page, send, {
      parent: { type: 'data_source_id', data_source_id },
      version: DATA_SOURCE_VERSION,
    }),

  // Does the same below a page or a database.
  workspace_page_create: ({ database_id, parent_page_id, workspace_version, ...page }, send) =>
    createPage(page, send, {
      parent:
        database_id === undefined
          ? { type: 'page_id', page_id: parent_page_id }
          : { type: 'database_id', database_id },
      version: workspace_version,
    }),

  // Moves the title to the key that every database has, whatever its column is called.
  workspace_page_update: ({ page_id, properties, ...rest }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/pages/${segment(page_id, 'page_id')}`,
      body: withoutUndefined({ properties: properties && withTitleKey(properties), ...rest }),
    }),

  // Chooses one of two endpoints, and the command for the second.
  workspace_page_write_markdown: writeMarkdown,

  // Encodes text, checks the size in bytes, and sends up to three requests.
  workspace_file_upload: uploadFile,

  // Turns values that were read into values that can be written.
  workspace_page_duplicate: duplicatePage,

  // Cuts long texts into pieces that the upstream accepts.
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

  // Converts simple blocks, and splits them into several requests.
  workspace_blocks_append: ({ block_id, blocks }, send) =>
    appendBlocks(
      blocks.map((block, index) => toBlock(block, `blocks[${index}]`)),
      send,
      block_id,
    ),

  // Cuts a long text into pieces, and converts names of languages.
  workspace_block_update: ({ block_id, ...content }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/blocks/${segment(block_id, 'block_id')}`,
      body: toTextContent(content, ''),
    }),

  // Adds its plain text to each block, because its location depends on the type.
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
