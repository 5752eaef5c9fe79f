import { ServiceError } from '../errors.js';

/** Decides which calls of a connection need a person's approval. */
export interface ApprovalPolicy {
  readonly default: 'always' | 'destructive' | 'never';
  /** Exceptions from the default, by tool name. */
  readonly tools: Readonly<Record<string, 'always' | 'never'>>;
}

interface CheckedTool {
  readonly name: string;
  readonly hints: { readonly destructive: boolean };
}

const NOBODY_IS_ASKED: ApprovalPolicy = { default: 'never', tools: {} };

/** Reads the column that `writePolicy` wrote. */
export const readPolicy = (column: string | null): ApprovalPolicy =>
  column === null ? NOBODY_IS_ASKED : JSON.parse(column);

/** Gives the value of the column. */
export const writePolicy = (policy: ApprovalPolicy): string | null =>
  policy.default === 'never' && Object.keys(policy.tools).length === 0 ? null : JSON.stringify(policy);

/** Tools of the catalogue by name. */
export type KnownTools = ReadonlyMap<string, { readonly connector: string }>;

/** Throws invalid_request for unknown tools: a misspelt name would let calls run without approval. */
export function checkPolicy({ tools }: ApprovalPolicy, connectorId: string, known: KnownTools): void {
  const other = Object.keys(tools).find((name) => known.get(name)?.connector !== connectorId);
  if (other === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `"${other}" is not a tool of "${connectorId}"; GET /v1/tools?connector=${connectorId} lists them.`,
  );
}

/** True if the policy requires an approval before this tool runs. */
export function asksBefore(policy: ApprovalPolicy | undefined, { name, hints }: CheckedTool): boolean {
  if (policy === undefined) return false;
  const own = Object.hasOwn(policy.tools, name) ? policy.tools[name] : policy.default;
  return own === 'always' || (own === 'destructive' && hints.destructive);
}

const READS = ['GET', 'HEAD'];

interface CheckedRequest {
  /** Method of the request, and the one of its override. */
  readonly methods: readonly string[];
  /** True if the body holds further requests, whose methods are not checked. */
  readonly isBatch: boolean;
}

/**
 * Limits proxied requests, because no approval page could describe them and they could bypass a tool's approval. A policy
 * with any approvals allows reads only; one with the default `always` allows no proxied request.
 */
export function checkProxied(policy: ApprovalPolicy | undefined, { methods, isBatch }: CheckedRequest): void {
  if (policy === undefined) return;
  const asksAny = policy.default !== 'never' || Object.values(policy.tools).includes('always');
  const isRead = !isBatch && methods.every((method) => READS.includes(method));
  if (!asksAny || (policy.default !== 'always' && isRead)) return;
  throw new ServiceError(
    'forbidden',
    'Calls of this connection need approval, and a proxied request cannot be described for it. Use a tool, or change `approve` of the connection.',
    { reason: 'approval' },
  );
}
