/**
 * OAuth scopes that an MCP client can request. `tools:read` permits only tools that read, and `tools:write` permits all
 * tools.
 */
export const READ_SCOPE = 'tools:read';
export const WRITE_SCOPE = 'tools:write';
export const AGENT_SCOPES = [READ_SCOPE, WRITE_SCOPE] as const;
