export type { Accounts, Client, Connections, Executions, List } from './client.js';
export type { ClientOptions } from './config.js';
export { type Connector, connector, type ToolEntry } from './connector.js';
export { createClient } from './create-client.js';
export type { Paging } from './each-item.js';
export {
  AccountNotAuthorizedError,
  ConnectionError,
  type InputProblem,
  InvalidInputError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from './errors.js';
export type { AnyTool, ExecuteTool, ToolCall, ToolNamed } from './execute-tool.js';
export type { ProxyRequest, ProxyResponse, SendRequest } from './proxy.js';
export type * from './resources.js';
export type { CallOptions, PagedTool, Tool, ToolOptions, ToolResult, Tools } from './tool.js';
