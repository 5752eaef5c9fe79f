/** What MCP clients may ask a user for: tools that read, and all of them. */
export const READ_SCOPE = 'tools:read';
export const WRITE_SCOPE = 'tools:write';
export const AGENT_SCOPES = [READ_SCOPE, WRITE_SCOPE] as const;
