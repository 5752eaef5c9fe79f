/**
 * Issuer URL of the OAuth authorization server for the MCP clients of one application. Each application has its own
 * issuer.
 */
export const agentIssuer = (environmentUrl: string, applicationId: string): string =>
  `${environmentUrl}/agents/${encodeURIComponent(applicationId)}`;

/**
 * Path of the MCP endpoint of one application. A client without a token may call this path to discover the
 * authorization server.
 */
export const agentMcpPath = (applicationId: string, connector?: string): `/mcp/${string}` =>
  `/mcp/apps/${encodeURIComponent(applicationId)}${connector === undefined ? '' : `/${connector}`}`;
