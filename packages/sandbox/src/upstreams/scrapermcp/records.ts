import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failedResult, type McpTool, mcpTool } from '../../mcp/tool.js';
import { READS, structured } from './inputs.js';
import { findStorage, type Storages, type StoredRecord } from './rest/storages.js';

export interface RecordsParts {
  readonly storages: Storages;
  /** Base URL of the REST API. MCP resource URIs are paths below it. */
  readonly apiUrl: string;
}

const MOST_INLINE_BYTES = 256 * 1024;
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml)\b)/;
const RECORD = /^\/v2\/key-value-stores\/([^/?#]+)\/records\/([^/?#]+)$/;

const inline = ({ bytes, contentType }: StoredRecord) =>
  TEXT.test(contentType)
    ? { mimeType: contentType, text: bytes.toString('utf8') }
    : { mimeType: contentType, blob: bytes.toString('base64') };

/**
 * Presents a record as tool output: text inline, binary data as an embedded resource, large data as a resource link.
 */
function present(
  record: StoredRecord,
  { uri, key, store }: Readonly<Record<'uri' | 'key' | 'store', string>>,
) {
  const { bytes, contentType } = record;
  const value = TEXT.test(contentType)
    ? bytes.toString('utf8')
    : `<binary ${contentType}, ${bytes.length} bytes>`;
  const summary = `Read '${key}' (contentType=${contentType}, ${bytes.length} bytes).`;
  const result = structured({ keyValueStoreId: store, key, value, contentType, summary }, summary);
  if (TEXT.test(contentType)) return result;
  const size = bytes.length;
  const item: CallToolResult['content'][number] =
    size > MOST_INLINE_BYTES
      ? { type: 'resource_link', uri, name: key, size, mimeType: contentType }
      : { type: 'resource', resource: { uri, mimeType: contentType, blob: bytes.toString('base64') } };
  return { ...result, content: [item] };
}

export const getKeyValueStoreRecord = ({ storages, apiUrl }: RecordsParts): McpTool =>
  mcpTool({
    name: 'get-key-value-store-record',
    description: 'Gives a record of a key-value store.',
    input: z.object({ keyValueStoreId: z.string().min(1), recordKey: z.string().min(1) }),
    annotations: READS,
    run({ keyValueStoreId: store, recordKey: key }) {
      const storage = findStorage(storages.stores, store);
      if (storage === undefined) return failedResult(`Key-value store '${store}' not found.`);
      const record = storage.records.get(key);
      if (record === undefined)
        return failedResult(`Record '${key}' not found in key-value store '${store}'.`);
      return present(record, {
        uri: `${apiUrl}/v2/key-value-stores/${storage.id}/records/${key}`,
        key,
        store,
      });
    },
  });

/** Reads a record by its REST API URL. The real server reads any REST API URL, but the emulation reads only records. */
export const readRecord =
  ({ storages, apiUrl }: RecordsParts) =>
  (uri: string): ReadResourceResult => {
    const refuse = (why: string) =>
      new ProtocolError(ProtocolErrorCode.InvalidParams, `Failed to read ${uri}: ${why}`, { uri });
    if (!uri.startsWith(`${apiUrl}/`))
      throw refuse(`only Apify API URLs (${apiUrl}) are readable as resources.`);
    const [, store = '', key = ''] = RECORD.exec(uri.slice(apiUrl.length)) ?? [];
    const record = findStorage(storages.stores, store)?.records.get(key);
    if (record === undefined) throw refuse('HTTP 404: Record was not found');
    if (record.bytes.length <= MOST_INLINE_BYTES) return { contents: [{ uri, ...inline(record) }] };
    const text = `Response body exceeds the ${MOST_INLINE_BYTES}-byte inline limit. Download it from ${uri} (may require your Apify API token).`;
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  };
