export { type Approved, type ApproveOptions, approve } from './browser/approve.js';
export {
  type Browser,
  createBrowser,
  type FormSubmission,
  type Navigation,
  type Page,
} from './browser/browser.js';
export { type CookieJar, createCookieJar } from './browser/cookie-jar.js';
export type { Control, Form } from './browser/forms.js';
export { connectSandbox } from './connect-sandbox.js';
export type { Dials, FailNext, RateLimit } from './dials.js';
export type { RecordedRequest } from './recorder.js';
export type { KnownClient, Sandbox, SandboxClock, SandboxUpstream } from './sandbox.js';
export { type SandboxOptions, startSandbox } from './start-sandbox.js';
