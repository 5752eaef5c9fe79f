import { shellQuoted } from '../tools/code-samples.ts';

/** What adds the tools to Claude Code, which then opens the sign-in. */
export const commandLine = (address: string): string =>
  `claude mcp add --transport http svc ${shellQuoted(address)}`;

/** What editors and other programs with MCP read from a file. */
export const fileLines = (address: string): string =>
  JSON.stringify({ mcpServers: { svc: { url: address } } }, undefined, 2);
