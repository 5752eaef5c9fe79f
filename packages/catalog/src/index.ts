export { builtInFolder } from './built-in.js';
export type { Catalog, ResolvedCall, ToolCall } from './catalog.js';
export { type ChildSchema, childSchemas, mapChildSchemas } from './child-schemas.js';
export type {
  Auth,
  Connector,
  Consent,
  ErrorRule,
  FurtherCredential,
  Host,
  Inject,
  KeyAuth,
  McpAuth,
  McpServer,
  OAuth2Auth,
  Proxy,
  Retry,
  Route,
  Scope,
  TokenRequest,
} from './connector.js';
export {
  type AvailableVersion,
  type BrokenRule,
  CatalogError,
  InvalidInputError,
  type Problem,
  UnknownVersionError,
} from './errors.js';
export { ruleSentences, versionProperties } from './input-schema.js';
export {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type KeyGroups,
  keyGroupsOf,
  type RequiredWhen,
  type WithinMonths,
} from './json-schema.js';
export { type LoadOptions, loadCatalog } from './load-catalog.js';
export { propertiesOf } from './properties-of.js';
export { compareVersions, selectVersion, type WantedVersion } from './select-version.js';
export type {
  Example,
  HandlerVersion,
  McpBinding,
  McpVersion,
  Method,
  Paging,
  RequestBinding,
  RequestVersion,
  SentRequest,
  Tool,
  ToolHints,
  ToolVersion,
  VersionStatus,
} from './tool.js';
