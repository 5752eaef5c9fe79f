import { expect, test } from 'vitest';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { texts } from '../../test/support/upstreams/start-mcp.js';
import { isUnknownTool, mcpToolFailed, toMcpError } from './mcp-error.js';

const connector = { title: 'Notes' } as Parameters<typeof mcpToolFailed>[1];
const failed = (text: string) => mcpToolFailed({ isError: true, content: texts(text) }, connector);

class ProtocolError extends Error {
  readonly code = -32602;
}

// Texts of the MCP SDKs for TypeScript, Python, Go, C# and PHP.
test.each([
  { text: 'Tool echo not found', isUnknown: true },
  { text: 'MCP error -32602: Tool echo not found', isUnknown: true },
  { text: 'MCP error -32602: Tool echo disabled', isUnknown: true },
  { text: 'Unknown tool: echo', isUnknown: true },
  { text: "Unknown tool: 'echo'", isUnknown: true },
  { text: 'unknown tool "echo"', isUnknown: true },
  { text: "tool 'echo' not found: tool not found", isUnknown: true },
  { text: 'Tool not found: echo', isUnknown: true },
  { text: 'MCP error -32602: Input validation error: Invalid arguments for tool echo', isUnknown: false },
  { text: 'Invalid arguments for tool echo: page 7 not found', isUnknown: false },
  { text: 'The page was not found by the tool', isUnknown: false },
  { text: 'It failed.', isUnknown: false },
])('the error "$text" means an unknown tool: $isUnknown', ({ text, isUnknown }) => {
  expect(isUnknownTool(failed(text), 'echo')).toBe(isUnknown);
  expect(isUnknownTool(toMcpError(new ProtocolError(text), connector), 'echo')).toBe(isUnknown);
});

test('F9: an error text of 10 MiB is truncated before it is parsed', TIMED, async () => {
  const text = 'tool '.repeat(2 * 1024 * 1024);
  let error = failed('');
  const ms = await cpuOf(() => {
    error = failed(text);
    expect(isUnknownTool(error, 'echo')).toBe(false);
  });
  expect(ms).toBeLessThan(100);
  expect(error.message.length).toBeLessThan(5000);
  expect(error.details?.['body']).toMatchObject({ content: texts(text) });
});
