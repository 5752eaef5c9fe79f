/** Issuer of the authorization server for the application's MCP clients: each application has its own. */
export const agentIssuer = (environmentUrl: string, applicationId: string): string =>
  `${environmentUrl}/agents/${encodeURIComponent(applicationId)}`;

/** Path of the application's MCP endpoint, which a client without a token may call. */
export const agentMcpPath = (applicationId: string, connector?: string): `/mcp/${string}` =>
  `/mcp/apps/${encodeURIComponent(applicationId)}${connector === undefined ? '' : `/${connector}`}`;
