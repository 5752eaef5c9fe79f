/** Where the authorization server for an application's MCP clients stands: each application has its own issuer. */
export const agentIssuer = (environmentUrl: string, applicationId: string): string =>
  `${environmentUrl}/agents/${encodeURIComponent(applicationId)}`;

/** The door of an application that a client without a token may come to, after the environment URL. */
export const agentDoor = (applicationId: string, connector?: string): `/mcp/${string}` =>
  `/mcp/apps/${encodeURIComponent(applicationId)}${connector === undefined ? '' : `/${connector}`}`;
