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
  // Handler code, because a JSON tool definition cannot send a request for each data source in a response.
  workspace_data_source_fetch: ({ database_id }, send) => fetchWithSources(database_id, send),

  // Handler code, because a JSON tool definition cannot convert content blocks in the simplified format, or append
  // blocks that exceed the limits of one request.
  workspace_database_insert_row: ({ database_id, ...page }, send) =>
    createPage(page, send, { parent: { type: 'database_id', database_id } }),

  // Handler code, because a JSON tool definition cannot convert and split the content blocks of a new row of a data
  // source.
  workspace_data_source_insert_row: ({ data_source_id, ...page }, send) =>
    createPage(page, send, {
      parent: { type: 'data_source_id', data_source_id },
      version: DATA_SOURCE_VERSION,
    }),

  // Handler code, because a JSON tool definition cannot convert and split the content blocks of a new page.
  workspace_page_create: ({ database_id, parent_page_id, workspace_version, ...page }, send) =>
    createPage(page, send, {
      parent:
        database_id === undefined
          ? { type: 'page_id', page_id: parent_page_id }
          : { type: 'database_id', database_id },
      version: workspace_version,
    }),

  // Handler code, because a JSON tool definition cannot rename the key of the title. The name of the title column
  // differs between databases.
  workspace_page_update: ({ page_id, properties, ...rest }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/pages/${segment(page_id, 'page_id')}`,
      body: withoutUndefined({ properties: properties && withTitleKey(properties), ...rest }),
    }),

  // Handler code, because a JSON tool definition cannot choose between two endpoints, or build the Markdown command of
  // the second endpoint.
  workspace_page_write_markdown: writeMarkdown,

  // Handler code, because a JSON tool definition cannot encode the file's text, check the size in bytes, or send up to
  // three requests.
  workspace_file_upload: uploadFile,

  // Handler code, because a JSON tool definition cannot convert property values that the upstream returns to values
  // that it accepts.
  workspace_page_duplicate: duplicatePage,

  // Handler code, because a JSON tool definition cannot split long text into pieces. The upstream limits the length of
  // one piece.
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

  // Handler code, because a JSON tool definition cannot convert content blocks in the simplified format, or split them
  // into several requests.
  workspace_blocks_append: ({ block_id, blocks }, send) =>
    appendBlocks(
      blocks.map((block, index) => toBlock(block, `blocks[${index}]`)),
      send,
      block_id,
    ),

  // Handler code, because a JSON tool definition cannot split long text into pieces, or convert names of programming
  // languages.
  workspace_block_update: ({ block_id, ...content }, send) =>
    send({
      method: 'PATCH',
      path: `/v1/blocks/${segment(block_id, 'block_id')}`,
      body: toTextContent(content, ''),
    }),

  // Handler code, because a JSON tool definition cannot add the plain text of each content block. Each block type
  // stores its text in another field.
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
