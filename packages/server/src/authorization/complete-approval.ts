import {
  failureRedirect,
  stillRegistered,
  verifyRedirect,
  verifyUrlOf,
} from '../applications/redirect-urls.js';
import { redirectUriOf } from '../connections/connection.js';
import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import { findApplication } from '../connections/find-account.js';
import { createConfirmRefusal, type TryClientParts } from '../connections/try-client.js';
import { ServiceError } from '../errors.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { type Approval, type ApprovalParts, approvalOf, approvalOfFlow, refusedBy } from './approval.js';
import {
  approvalIsOver,
  type Callback,
  type ConsumeFlow,
  START_AGAIN,
  verifierPlace,
} from './authorization-flow.js';
import type { DiscardTokens } from './discard-tokens.js';
import { type Grant, type Granted, toGranted } from './granted.js';
import type { PendingApprovals } from './pending-approvals.js';
import { type RefuseApproval, refusalReason } from './refuse-approval.js';
import type { SaveTokens } from './save-tokens.js';

export interface CompleteApprovalParts extends ApprovalParts, TryClientParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts' | 'connections'>;
  readonly describeOAuth: DescribeOAuth;
  readonly consumeFlow: ConsumeFlow;
  readonly refuseApproval: RefuseApproval;
  readonly pendingApprovals: Pick<PendingApprovals, 'keep'>;
  readonly saveTokens: SaveTokens;
  readonly discardTokens: DiscardTokens;
  readonly commit: Commit;
  readonly oauth: OAuth;
  readonly vault: Vault;
  readonly now: () => number;
}

/** Where an approval ends: at a URL of the application's, or on a page of ours. */
export type Ending = { readonly redirectTo: string } | { readonly approval: Approval };

/** What the user is told when the upstream gave no tokens. */
function toExplained(error: OAuthError, { name }: ConnectionRow): ServiceError {
  if (error.error === 'access_denied') {
    return new ServiceError(
      'forbidden',
      'The access was not granted, so nothing was connected. You can close this window.',
      undefined,
      { cause: error },
    );
  }
  if (error.isClientRefused) {
    return new ServiceError(
      'connection_not_configured',
      `The service does not accept the client id and secret of the connection "${name}". Tell the application's developer.`,
      undefined,
      { cause: error },
    );
  }
  return startAgain(error);
}

function startAgain(error: OAuthError): ServiceError {
  const code = error.failure === 'unavailable' ? 'unavailable' : 'forbidden';
  const message = `The approval could not be completed with the service. ${START_AGAIN}`;
  return new ServiceError(code, message, undefined, { cause: error });
}

/** Exchanges the code of a consumed flow. Throws what the user is told when that does not work. */
function createExchange(parts: CompleteApprovalParts) {
  const { storage, describeOAuth, commit, oauth, vault, environmentUrl } = parts;
  const confirmRefusal = createConfirmRefusal(parts);

  // Rule O12: the code goes to the endpoint that the flow was begun with, or nowhere.
  async function describeFlow(
    flow: AuthorizationFlowRow,
    connection: ConnectionRow,
  ): Promise<ConnectionOAuth> {
    const use = await describeOAuth(connection);
    const isSameServer = use.issuer === null || use.issuer === flow.issuer;
    const isSameClient = use.server.tokenEndpoint === flow.tokenEndpoint && use.clientId === flow.clientId;
    if (isSameServer && isSameClient) {
      return { ...use, server: { ...use.server, issuer: flow.issuer ?? undefined } };
    }
    throw new ServiceError('conflict', `The connection was changed during the approval. ${START_AGAIN}`, {
      reason: 'connection_changed',
    });
  }

  const markRefused = ({ applicationId, id }: ConnectionRow) =>
    commit(async ({ connections }, tell) => {
      await connections.update(applicationId, id, { statusReason: 'invalid_client' });
      tell({ action: 'connection.refused_by_upstream', applicationId, object: id, reason: 'invalid_client' });
    });

  async function explain(
    error: unknown,
    connection: ConnectionRow,
    { forgetClient, forgetServer }: ConnectionOAuth,
  ): Promise<never> {
    forgetServer();
    if (!(error instanceof OAuthError)) throw error;
    if (error.isClientRefused) {
      if (await forgetClient()) throw startAgain(error);
      await markRefused(connection);
    }
    throw toExplained(error, connection);
  }

  return async (flow: AuthorizationFlowRow, callback: URLSearchParams): Promise<Grant> => {
    const connection = await storage.connections.find(flow.applicationId, flow.connectionId);
    if (!connection) throw approvalIsOver();
    const use = await describeFlow(flow, connection);
    const verifier = await vault.open(verifierPlace(flow), flow.codeVerifier);
    const redirectUri = redirectUriOf(environmentUrl, flow.connectionId);
    const client = await use.client();
    const shown = { connectionId: connection.id, server: use.server, client };
    const tokens = await oauth
      .exchange(use.server, client, { callback, redirectUri, codeVerifier: verifier.reveal() })
      .catch(async (error: unknown) => explain(await confirmRefusal(error, shown), connection, use));
    if (connection.statusReason !== null) {
      await storage.connections.update(connection.applicationId, connection.id, { statusReason: null });
    }
    return { flow, use, tokens };
  };
}

export function createCompleteApproval(parts: CompleteApprovalParts) {
  const { storage, consumeFlow, refuseApproval, pendingApprovals, saveTokens, discardTokens, now } = parts;
  const exchange = createExchange(parts);

  async function keep(granted: Granted, { successUrl }: AuthorizationFlowRow): Promise<Ending> {
    const application = await findApplication(storage, granted.applicationId);
    const verifyUrl = verifyUrlOf(application);
    if (verifyUrl !== undefined) {
      return { redirectTo: verifyRedirect(verifyUrl, await pendingApprovals.keep(granted, successUrl)) };
    }
    const account = await saveTokens(granted);
    const redirectTo = stillRegistered(application, successUrl);
    return redirectTo === null ? { approval: await approvalOf(parts, account) } : { redirectTo };
  }

  async function finish(grant: Grant): Promise<Ending> {
    const granted = toGranted(grant, now());
    return keep(granted, grant.flow).catch(async (error: unknown) => {
      await discardTokens(granted, grant.use);
      throw error;
    });
  }

  async function fail(flow: AuthorizationFlowRow, error: unknown): Promise<Ending> {
    await refuseApproval({ flow, reason: refusalReason(error) });
    if (!(error instanceof ServiceError)) throw error;
    const application = await storage.applications.find(flow.applicationId);
    const failureUrl = stillRegistered(application, flow.failureUrl);
    if (failureUrl !== null) return { redirectTo: failureRedirect(failureUrl, error.code) };
    throw refusedBy(error, await approvalOfFlow(parts, flow));
  }

  return async (callback: Callback): Promise<Ending> => {
    const flow = await consumeFlow(callback);
    const ending = exchange(flow, callback.parameters).then(finish);
    return ending.catch((error: unknown) => fail(flow, error));
  };
}
