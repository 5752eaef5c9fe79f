import type { Connector } from '../connector.js';
import type { JsonSchema } from '../json-schema.js';
import type { Tool } from '../tool.js';
import { type Report, reportWithin } from './file-report.js';

/**
 * Package names of the platform. A connector must not have one as its id, because its generated package would replace
 * the platform's.
 */
const PACKAGES = 'agents bench catalog cli codegen connectors core dashboard sandbox server testing'.split(
  ' ',
);

/**
 * Reserved words of JavaScript. A connector id must not be one, because generated code uses it as a variable name.
 */
const WORDS = [
  'arguments async await break case catch class const continue debugger default delete do else enum eval export',
  'extends false finally for function get if implements import in instanceof interface let new null of package',
  'private protected public return set static super switch this throw true try type typeof undefined var void',
  'while with yield',
].flatMap((line) => line.split(' '));

/**
 * First segments of the service's own event types, such as `account` in `account.created`. A connector's event types
 * begin with its id, so no id may be one of these.
 */
const EVENT_SUBJECTS = 'account connection approval execution endpoint watch'.split(' ');

/** Names of the client's types of events, without the endings `Event` and `Data`. */
const EVENTS = [
  'AccountAuthorized AccountDeleted AccountPendingVerification AccountReauthorizationRequired ApprovalDecided',
  'ApprovalRequested ConnectionChanged EndpointDisabled EndpointTested ExecutionFailed WatchFailed',
  'WatchItemChanged WatchItemCreated WatchItemDeleted',
].flatMap((line) => line.split(' '));

/**
 * Type names that no connector may use, because a connector's type would hide a type of TypeScript or of the client.
 */
export const RESERVED_TYPES: readonly string[] = [
  ...EVENTS.map((name) => `${name}Data ${name}Event`),
  'AsyncIterable NonNullable Object Promise Readonly Record ToolSchema',
  'AccountDetails AccountName AccountNotAuthorizedError AccountQuery AccountReference AccountSecrets AccountStatus',
  'Accounts AnyTool Approval ApprovalObject ApprovalPolicy',
  'ApprovalQuery ApprovalRequiredError ApprovalStatus Approvals ArgumentLimit',
  'AuthorizationLink CallOptions CallService Client ClientOptions ConnectedAccount Connection ConnectionError',
  'ConnectionHealth ConnectionSettings ConnectionState ConnectionTest Connections Connector Credentials Decision',
  'Deliveries Delivery DeliveryAttempt DeliveryDetails DeliveryQuery EventQuery EventType Events',
  'DryRunOptions DryRunResult ExecuteOptions ExecuteTool Executed',
  'Execution ExecutionCause ExecutionQuery ExecutionRequest ExecutionTimeline',
  'Executions Failure FetchInit GivenToken',
  'ImportedTokens InputProblem InvalidInputError IssuedToken Limit',
  'LinkRequest List ListPage ListedToken ManagingClient',
  'NarrowerLimits NewConnection NewWebhookEndpoint OwnEvent PageQuery',
  'PagedTool PlannedRequest ProxyLimit ProxyRequest ProxyResponse',
  'QueryParams RateLimitedError RevokedAccount SendRequest ServiceCall ServiceError ServiceEvent SharedOptions',
  'TimeoutError TokenLimits TokenRequest Tokens Tool ToolCall ToolCaller ToolEntry ToolNamed ToolOptions',
  'NewWatch NewWebhookSubscription TokenQuery ToolResult Tools',
  'UpdateOptions UpstreamError UpstreamEvent UpstreamEventData Verification VerifiedAccount WaitOptions',
  'Watch WatchInput WatchList WatchQuery WatchSettings Watches',
  'WebhookEndpoint WebhookEndpointSettings WebhookEndpointWithSecret WebhookEndpoints WebhookPayloads',
  'WebhookSubscription WebhookSubscriptions',
].flatMap((line) => line.split(' '));

/**
 * Method names that no tool may have in a generated client. A method `then`, for example, would make the object with
 * the tools a promise.
 */
const METHODS = ['constructor', 'then'];

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the reason why a connector id is not allowed. Undefined for a valid id. */
export function idProblem(id: string): string | undefined {
  if (PACKAGES.includes(id)) return `"${id}" is the name of a package of the service; choose another id`;
  if (id === 'meta') return '"meta" is reserved for the folder of the file formats; choose another id';
  if (id === 'events') return '"events" is reserved for the folder of the event types; choose another id';
  if (EVENT_SUBJECTS.includes(id))
    return `"${id}" is the first part of the service's own event types, such as "account.deleted"; choose another id`;
  const isTaken = WORDS.includes(id) || RESERVED_TYPES.includes(pascalCase(id));
  return isTaken ? `"${id}" is a reserved word in generated code; choose another id` : undefined;
}

/** Checks the names of a connector, its tools and its shared schemas: generated code uses them as identifiers. */
export function checkNames(
  { id, types }: Pick<Connector, 'id' | 'types'>,
  tools: readonly Tool[],
  report: { readonly connector: Report; readonly types: Report; readonly tool: (tool: Tool) => Report },
): void {
  const problem = idProblem(id);
  if (problem !== undefined) report.connector(['id'], problem);
  for (const name of Object.keys(types)) checkShapeName(name, pascalCase(id), report.types);
  const taken = new Map<string, string>();
  for (const tool of tools) {
    const type = pascalCase(tool.name.slice(tool.connector.length + 1));
    const other = taken.get(type);
    const within = report.tool(tool);
    if (METHODS.includes(type.charAt(0).toLowerCase() + type.slice(1)))
      within(['name'], 'a method of this name would break the generated client; choose another name');
    if (/^[0-9]/.test(type))
      within(['name'], 'the generated method would begin with a digit; choose another name');
    if (other !== undefined)
      within(['name'], `the generated types have the same names as those of "${other}"; rename one tool`);
    taken.set(type, tool.name);
    for (const part of [`${type}Input`, `${type}Output`]) {
      if (Object.hasOwn(types, part))
        report.types(
          ['$defs', part],
          `the tool "${tool.name}" generates a type of this name; rename the shape`,
        );
    }
  }
}

function checkShapeName(name: string, connector: string, report: Report): void {
  if (RESERVED_TYPES.includes(name) || name === connector)
    report(['$defs', name], `"${name}" is a reserved type name; rename the shape`);
}

/** Checks that every input property of a tool has a description. */
export function checkDescriptions({ properties = {} }: JsonSchema, report: Report): void {
  for (const [name, { description, $ref }] of Object.entries(properties)) {
    if (description === undefined && $ref === undefined)
      reportWithin(report, 'properties', name)([], 'the description is missing; say what the input is for');
  }
}
