export type * from '@svc/core';
export type { Application, ApplicationCredentials } from './application.js';
export type { FailureCode, FailureDetails } from './failures.js';
export { type FakeOptions, type FakeService, fakeService } from './fake-service.js';
export type { FakeCall, FakeTool } from './fake-tool.js';
export type { ConnectorFakes, Fakes } from './fakes.js';
