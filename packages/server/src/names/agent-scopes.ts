/** OAuth scopes for MCP clients: tools that only read, and all tools. */
export const READ_SCOPE = 'tools:read';
export const WRITE_SCOPE = 'tools:write';
export const AGENT_SCOPES = [READ_SCOPE, WRITE_SCOPE] as const;
