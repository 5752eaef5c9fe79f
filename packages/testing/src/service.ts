export type { Application, ApplicationCredentials } from './application.js';
export type { Authorize, AuthorizeRequest } from './authorize.js';
export { type RunningService, type ServiceOptions, startService } from './start-service.js';
