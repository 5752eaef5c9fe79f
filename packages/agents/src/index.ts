export type * from '@svc/core';
export type { Account, AccountChoice, NamedAccount } from './accounts.js';
export type { AgentTool, AgentTools, RunOptions } from './agent-tool.js';
export type { ApprovalOptions, Approve, PendingCall } from './run-approved.js';
export type { Budget } from './spend-strict.js';
export { isToolFailure, ToolFailure, type ToolFailureData } from './tool-failure.js';
export type { Cost, JsonSchema, ToolSchema } from './tool-schema.js';
export { type ConnectorOf, type ToolClient, type ToolsOptions, tools } from './tools.js';
