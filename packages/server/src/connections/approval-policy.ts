import { ServiceError } from '../errors.js';

/** Policy of a connection: which tool calls need a person's approval. */
export interface ApprovalPolicy {
  readonly default: 'always' | 'destructive' | 'never';
  /** Map from a tool name to its own rule, which overrides `default`. */
  readonly tools: Readonly<Record<string, 'always' | 'never'>>;
}

interface CheckedTool {
  readonly name: string;
  readonly hints: { readonly destructive: boolean };
}

const NO_APPROVALS: ApprovalPolicy = { default: 'never', tools: {} };

/** Parses the database column with the approval policy. `null` means that no call needs an approval. */
export const readPolicy = (column: string | null): ApprovalPolicy =>
  column === null ? NO_APPROVALS : JSON.parse(column);

/** Returns the database column for an approval policy; `null` if no call needs an approval. */
export const writePolicy = (policy: ApprovalPolicy): string | null =>
  policy.default === 'never' && Object.keys(policy.tools).length === 0 ? null : JSON.stringify(policy);

/** Map from a tool name to the catalogue's tool. */
export type KnownTools = ReadonlyMap<string, { readonly connector: string }>;

/**
 * Throws invalid_request if the policy names an unknown tool. A misspelled name would let that tool run without
 * approval.
 */
export function checkPolicy({ tools }: ApprovalPolicy, connectorId: string, known: KnownTools): void {
  const other = Object.keys(tools).find((name) => known.get(name)?.connector !== connectorId);
  if (other === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `"${other}" is not a tool of the connector "${connectorId}". GET /v1/tools?connector=${connectorId} lists the tools.`,
  );
}

/** True if the policy of the account's connection requires a person's approval before a call of the tool. */
export function policyNeedsApproval(
  { approve: policy }: { readonly approve?: ApprovalPolicy | undefined },
  { name, hints }: CheckedTool,
): boolean {
  if (policy === undefined) return false;
  const own = Object.hasOwn(policy.tools, name) ? policy.tools[name] : policy.default;
  return own === 'always' || (own === 'destructive' && hints.destructive);
}

const READS = ['GET', 'HEAD'];

interface CheckedRequest {
  /** HTTP method of the proxied request, and the method in an override header such as `X-HTTP-Method-Override`. */
  readonly methods: readonly string[];
  /** True for a batch request, whose body contains more requests. Their methods are not checked. */
  readonly isBatch: boolean;
  readonly connectionName: string;
}

/**
 * Throws forbidden for proxied requests that could bypass a tool's approval, because no approval page could describe
 * them. A policy with any approval allows only GET and HEAD. The default `always` allows no proxied request.
 */
export function checkProxied(
  policy: ApprovalPolicy | undefined,
  { methods, isBatch, connectionName }: CheckedRequest,
): void {
  if (policy === undefined) return;
  const asksAny = policy.default !== 'never' || Object.values(policy.tools).includes('always');
  const isRead = !isBatch && methods.every((method) => READS.includes(method));
  if (!asksAny || (policy.default !== 'always' && isRead)) return;
  throw new ServiceError(
    'forbidden',
    `Calls of the connection "${connectionName}" need approval, but the approval page cannot describe proxied requests. Use a tool, or ask an operator to change \`approve\` of the connection.`,
    { reason: 'approval' },
  );
}
