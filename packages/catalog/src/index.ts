export { agentTexts } from './agent-texts.js';
export {
  type BoundRequest,
  bindArguments,
  type QueryValue,
} from './binding/bind-request.js';
export { bindValue } from './binding/bind-value.js';
export { mcpData } from './binding/mcp-data.js';
export { checkNextPage, hasNextPage, nextInput, type ParsedResponse } from './binding/next-page.js';
export { play } from './binding/play.js';
export { contains, dataOf, findErrorResponse } from './binding/read-response.js';
export { at } from './binding/reference.js';
export { type Replay, replay } from './binding/replay.js';
export { segment } from './binding/segment.js';
export { textAt } from './binding/text-at.js';
export type { Catalog, ResolvedCall, ToolCall } from './catalog.js';
export { type ChildSchema, childSchemas, mapChildSchemas } from './child-schemas.js';
export { closestName } from './closest-name.js';
export type {
  AdministratorConsent,
  Auth,
  BasicInject,
  Connector,
  ConnectorFile,
  Consent,
  ErrorRule,
  FurtherCredential,
  HeaderInject,
  Host,
  Identity,
  Inject,
  KeyAuth,
  McpAuth,
  McpServer,
  OAuth2Auth,
  Proxy,
  QueryInject,
  Retry,
  Route,
  Scope,
  TokenRequest,
  Trigger,
  VerifyRequest,
  Webhooks,
} from './connector.js';
export { cutText } from './cut-text.js';
export {
  type AvailableVersion,
  type BrokenRule,
  CatalogError,
  InvalidInputError,
  type Problem,
  ResponseError,
  UnknownVersionError,
} from './errors.js';
export { brokenRules, type ExplainOptions, quotesDescription } from './input/explain.js';
export { ruleSentences, versionProperties } from './input/input-schema.js';
export {
  flagsOf,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type KeyGroups,
  keyGroupsOf,
  propertiesOf,
  type RequiredWhen,
  type WithinMonths,
} from './json-schema.js';
export { idProblem, RESERVED_TYPES } from './lint/check-names.js';
export { type LoadOptions, loadCatalog } from './load/load-catalog.js';
export { measureJson } from './measure-json.js';
export { endOfString, parseJson } from './parse-json.js';
export { compareVersions, selectVersion, type WantedVersion } from './select-version.js';
export {
  type Encoding,
  type ErrorResponse,
  type Example,
  type HandlerVersion,
  type McpBinding,
  type McpVersion,
  type Method,
  type Need,
  type ObjectLookup,
  type OffsetPaging,
  type PagePaging,
  type Paging,
  type RequestBinding,
  type RequestsVersion,
  type RequestVersion,
  type ResponseBinding,
  requestsOf,
  type SentEncoding,
  type SentRequest,
  type SyncToken,
  type Tool,
  type ToolHints,
  type ToolVersion,
  type VersionStatus,
  type Watch,
  type WatchedSince,
} from './tool.js';
export { inputsWithoutWatch, ownInputsOf } from './watched-list.js';
