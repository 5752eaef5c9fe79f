import { segment } from '@svc/catalog';
import type { Send, UpstreamRequest } from '../../handler.js';
import { withoutUndefined } from '../json.js';
import { toRichText } from './rich-text.js';
import { DATA_SOURCE_VERSION, versionHeader } from './version.js';

interface MarkdownInput {
  readonly markdown: string;
  readonly parent_page_id?: string;
  readonly page_id?: string;
  readonly mode?: 'append' | 'replace';
  readonly title?: string;
  readonly allow_deleting_content?: boolean;
}

/**
 * Creates a page from Markdown, appends Markdown to a page, or replaces the content of a page. The tool input selects
 * the action.
 */
export const writeMarkdown = (input: MarkdownInput, send: Send): Promise<unknown> =>
  send({ ...requestOf(input), ...versionHeader(DATA_SOURCE_VERSION) });

function requestOf({ page_id, mode, ...input }: MarkdownInput): UpstreamRequest {
  if (page_id === undefined) return { method: 'POST', path: '/v1/pages', body: newPage(input) };
  const path = `/v1/pages/${segment(page_id, 'page_id')}/markdown`;
  return { method: 'PATCH', path, body: mode === 'append' ? appended(input) : replaced(input) };
}

function newPage({ parent_page_id, title, markdown }: MarkdownInput) {
  const properties = title === undefined ? undefined : { title: { title: toRichText(title, 'title') } };
  return withoutUndefined({ parent: { page_id: parent_page_id }, properties, markdown });
}

const appended = ({ markdown }: MarkdownInput) => ({
  type: 'insert_content',
  insert_content: { content: markdown },
});

const replaced = ({ markdown, allow_deleting_content }: MarkdownInput) => ({
  type: 'replace_content',
  replace_content: withoutUndefined({ new_str: markdown, allow_deleting_content }),
});
