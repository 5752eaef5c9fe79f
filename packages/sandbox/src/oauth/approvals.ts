/** What a person allowed a client. */
export interface Approval {
  readonly grantId: string;
  readonly clientId: string;
  readonly personId: string;
  readonly scopes: readonly string[];
  readonly refreshToken: boolean;
  /** The authorization request that was approved. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Approvals whose grant is still there. */
export interface Approvals {
  add(approval: Approval): void;
  get(grantId: string): Approval | undefined;
  between(clientId: string, personId: string): Approval[];
}

export function createApprovals(hasGrant: (grantId: string) => boolean): Approvals {
  const approvals = new Map<string, Approval>();
  const live = () => {
    for (const grantId of approvals.keys()) if (!hasGrant(grantId)) approvals.delete(grantId);
    return approvals;
  };
  return {
    add: (approval) => void approvals.set(approval.grantId, approval),
    get: (grantId) => live().get(grantId),
    between: (clientId, personId) =>
      [...live().values()].filter(
        (approval) => approval.clientId === clientId && approval.personId === personId,
      ),
  };
}
