import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import type { Commit } from '../records/commit.js';
import type { McpContext } from './mcp-sessions.js';
import type { McpTool } from './mcp-tool.js';

/** Compares an MCP server's list of tools with the previously read list. Records the differences in the audit log. */
export type NoteToolList = (context: McpContext, tools: readonly McpTool[]) => Promise<void>;

const MAX_LISTS = 1000;
const MAX_NAMES = 10;
/**
 * Pattern of tool names that the audit log shows. Other names are replaced, because the MCP server chooses them freely.
 */
const PLAIN_NAME = /^[\w.:/-]{1,64}$/;

type Fingerprints = ReadonlyMap<string, string>;

const fingerprint = ({ inputSchema }: McpTool): string =>
  createHash('sha256').update(JSON.stringify(inputSchema)).digest('base64');

const listed = (kind: string, names: readonly string[]): readonly string[] => {
  if (names.length === 0) return [];
  const plain = names.slice(0, MAX_NAMES).map((name) => (PLAIN_NAME.test(name) ? name : '(other name)'));
  const more = names.length - plain.length;
  return [`${kind}: ${plain.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
};

/**
 * Describes the difference between two tool lists of an MCP server: the names of added, removed and changed tools. The
 * text is empty if names and input schemas are equal.
 */
function describeChange(before: Fingerprints, after: Fingerprints): string {
  const names = (of: Fingerprints, isMeant: (name: string) => boolean) => [...of.keys()].filter(isMeant);
  return [
    ...listed(
      'added',
      names(after, (name) => !before.has(name)),
    ),
    ...listed(
      'removed',
      names(before, (name) => !after.has(name)),
    ),
    ...listed(
      'changed',
      names(after, (name) => before.has(name) && before.get(name) !== after.get(name)),
    ),
  ].join('; ');
}

/**
 * Creates the function that records changes of an MCP server's tools in the audit log. It remembers the last list of
 * each connection and base URL in this process, and compares names and input schemas.
 */
export function createNoteToolList({ commit }: { readonly commit: Commit }): NoteToolList {
  const known = new LRUCache<string, Fingerprints>(entryLimit(MAX_LISTS));
  return async function noteToolList({ account }, tools) {
    const { applicationId, connectionId: object, baseUrl } = account;
    const key = `${object} ${baseUrl}`;
    const after = new Map(tools.map((tool) => [tool.name, fingerprint(tool)]));
    const before = known.get(key);
    known.set(key, after);
    const reason = before === undefined ? '' : describeChange(before, after);
    if (reason === '') return;
    await commit(async (_, audit) =>
      audit({ action: 'connection.tools_changed', applicationId, object, reason }),
    );
  };
}
