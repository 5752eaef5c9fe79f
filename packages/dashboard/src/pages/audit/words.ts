import type { ResponseOf } from '../../api/call.ts';
import { reasonWords } from '../../words/reasons.ts';

export type AuditEvent = ResponseOf<'GET /operator/v1/audit-events'>['items'][number];
export type AuditAction = AuditEvent['action'];

/** Names of applications and connections, by their ids. */
export type Names = ReadonlyMap<string, string>;

interface ActionWords {
  /** Title of the action in the action filter of the audit log. */
  readonly title: string;
  /**
   * Returns the description of an audit event, which is shown after the name of the actor. `object`: name of the
   * changed object, or its id if the name is unknown.
   */
  readonly say: (object: string, reason: string) => string;
}

/** Converts field names such as `clientId,baseUrl` to readable words: "client id, base URL". */
const fieldsOf = (reason: string): string =>
  reason
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\burl/g, 'URL')
    .replaceAll(',', ', ');

/** Converts the names of steps such as `base_url,client` to readable words: "base URL, client". */
const stepsOf = (reason: string): string => fieldsOf(reason.replaceAll('_', ' '));

const after = (separator: string, text: string): string => (text === '' ? '' : `${separator}${text}`);

/** Returns a note for the description of a revocation that the upstream did not confirm; otherwise an empty text. */
const unconfirmed = (reason: string): string =>
  reason.startsWith('failed') ? ', which the upstream did not confirm' : '';

const firstWord = (reason: string): string => reason.split(',')[0] ?? reason;

const SIGN_IN_METHODS: Readonly<Record<string, string>> = {
  password: ' by password',
  link: ' by a one-time link',
  passkey: ' by passkey',
};

/** Describes an action by a verb and its object. */
const onObject = (title: string, verb: string): ActionWords => ({
  title,
  say: (object) => `${verb} ${object}`,
});

/**
 * Describes an action by a verb and the name of its object. Such audit events have the name in their field `reason`.
 * An event whose `reason` is empty is described with the id of the object.
 */
const onObjectName = (title: string, verb: string): ActionWords => ({
  title,
  say: (object, reason) => `${verb} ${reason || object}`,
});

/** Describes an action by a verb, its object and its reason. */
const withReason = (title: string, verb: string): ActionWords => ({
  title,
  say: (object, reason) => `${verb} ${object}${after(': ', reason)}`,
});

/** Describes an action by a verb, its object and its reason in words. */
const withReasonWords = (title: string, verb: string): ActionWords => ({
  title,
  say: (object, reason) => `${verb} ${object}${after(': ', reasonWords(reason))}`,
});

/** Describes an action on the approval of a tool call. The reason of the audit event is the name of the tool. */
const onApproval = (title: string, verb: string): ActionWords => ({
  title,
  say: (object, reason) => `${verb} the approval ${object}${after(' for ', reason)}`,
});

/** Titles and descriptions of all actions in the audit log. */
export const ACTIONS: Readonly<Record<AuditAction, ActionWords>> = {
  'application.created': onObjectName('Application created', 'created the application'),
  'application.changed': {
    title: 'Application changed',
    say: (object, reason) => `changed the application ${object}${after(': ', fieldsOf(reason))}`,
  },
  'application.deleted': onObjectName('Application deleted', 'deleted the application'),
  'client_secret.created': onObject('Client secret created', 'created the client secret'),
  'client_secret.revoked': onObject('Client secret revoked', 'revoked the client secret'),
  'account_token.created': onObject('Browser token created', 'created the browser token'),
  'account_token.revoked': {
    title: 'Browser token revoked',
    say: (object) => `revoked the browser token ${object} and all tokens derived from it`,
  },
  'agent_token.created': onObject('Agent token created', 'created the agent token'),
  'agent_token.revoked': {
    title: 'Agent token revoked',
    say: (object) => `revoked the agent token ${object} and all tokens derived from it`,
  },
  'agent_access.changed': {
    title: 'Sign-in for MCP clients changed',
    say: () => 'changed the user sign-in for MCP clients',
  },
  'agent_access.deleted': {
    title: 'Sign-in for MCP clients removed',
    say: () => 'removed the user sign-in for MCP clients',
  },
  'agent_client.created': onObjectName('MCP client added', 'added the MCP client'),
  'agent_client.deleted': onObject('MCP client deleted', 'deleted the MCP client'),
  'agent_sign_in.refused': withReasonWords(
    'Sign-in for an MCP client failed',
    'failed to complete the MCP client sign-in',
  ),
  'agent_grant.created': {
    title: 'Access granted to an MCP client',
    say: (object, reason) => `granted access to ${reason || 'an MCP client'} as ${object}`,
  },
  'agent_grant.revoked': withReasonWords('Access of an MCP client revoked', 'revoked the MCP client access'),
  'connection.created': onObjectName('Connection created', 'created the connection'),
  'connection.changed': {
    title: 'Connection changed',
    say: (object, reason) =>
      reason === 'accepted_by_upstream'
        ? `detected that the upstream accepts the client of the connection ${object} again`
        : `changed the connection ${object}${after(': ', fieldsOf(reason))}`,
  },
  'connection.checked': {
    title: 'Connection tested',
    say: (object, reason) =>
      `tested the connection ${object}${reason === 'working' ? ': it works' : after(', which failed at ', stepsOf(reason))}`,
  },
  'connection.deleted': {
    title: 'Connection deleted',
    say: (object, reason) => `deleted the connection ${reason || object} with its accounts`,
  },
  'connection.tools_changed': withReason(
    'Upstream tools changed',
    'detected a changed list of tools on the server of the connection',
  ),
  'connection.refused_by_upstream': onObject(
    'OAuth client rejected by the upstream',
    'detected that the upstream rejects the client of the connection',
  ),
  'account.created': onObject('Account created', 'created the account'),
  'account.authorized': onObject('Account connected', 'connected the account'),
  'account.pending_verification': onObject(
    'Account waits for verification',
    'gave consent, still to be verified, for the account',
  ),
  'account.secrets_changed': onObject('Account secrets changed', 'changed the key or token of the account'),
  'account.details_changed': onObject(
    'Account details changed',
    'changed the metadata or tags of the account',
  ),
  'account.tokens_imported': onObject('Account tokens imported', 'imported tokens into the account'),
  'account.reauthorization_required': withReasonWords(
    'Account access ended',
    'detected that access has ended for the account',
  ),
  'account.refresh_failing': withReason(
    'Token refresh failing',
    'failed repeatedly to refresh the token of the account',
  ),
  'account.revoked': {
    title: 'Account access revoked',
    say: (object, reason) => `revoked the access of the account ${object}${unconfirmed(reason)}`,
  },
  'account.deleted': {
    title: 'Account deleted',
    say: (object, reason) => `deleted the account ${object}${unconfirmed(reason)}`,
  },
  'account.verified': onObject('Account verified', 'verified the user of the account'),
  'account.verification_refused': withReasonWords(
    'User not verified',
    'failed to verify the user of the account',
  ),
  'authorization.refused': withReasonWords('Authorization failed', 'failed to authorize the account'),
  'approval.requested': onApproval('Approval requested', 'requested'),
  'approval.approved': onApproval('Call approved', 'granted'),
  'approval.denied': onApproval('Call denied', 'denied'),
  'approval.expired': onApproval('Approval expired', 'recorded the expiry of'),
  'approval.executed': onApproval('Approved call executed', 'used'),
  'approval.interrupted': onApproval('Approved call interrupted', 'detected an interrupted call with'),
  'webhook_endpoint.created': withReason('Webhook endpoint created', 'created the webhook endpoint'),
  'webhook_endpoint.changed': {
    title: 'Webhook endpoint changed',
    say: (object, reason) => `changed the webhook endpoint ${object}${after(': ', fieldsOf(reason))}`,
  },
  'webhook_endpoint.secret_rotated': onObject(
    'Webhook secret rotated',
    'rotated the secret of the webhook endpoint',
  ),
  'webhook_endpoint.tested': onObject('Webhook endpoint tested', 'sent a test event to the webhook endpoint'),
  'webhook_endpoint.disabled': withReasonWords('Webhook endpoint disabled', 'disabled the webhook endpoint'),
  'webhook_endpoint.paused': withReasonWords('Webhook endpoint paused', 'paused the webhook endpoint'),
  'webhook_endpoint.deleted': withReason('Webhook endpoint deleted', 'deleted the webhook endpoint'),
  'event_delivery.resent': onObject('Webhook delivery resent', 'resent the webhook delivery'),
  'webhook_subscription.created': withReason(
    'Webhook subscription created',
    'created the webhook subscription',
  ),
  'webhook_subscription.deleted': withReason(
    'Webhook subscription deleted',
    'deleted the webhook subscription',
  ),
  'webhook_subscription.left_upstream': withReason(
    'Webhook not deleted at the upstream',
    'failed to delete the webhook at the upstream for the webhook subscription',
  ),
  'watch.created': withReason('Watch created', 'created the watch'),
  'watch.changed': {
    title: 'Watch changed',
    say: (object, reason) => `changed the watch ${object}${after(': ', fieldsOf(reason))}`,
  },
  'watch.deleted': withReason('Watch deleted', 'deleted the watch'),
  'root_key.rotated': onObject('Root key rotated', 'encrypted all data keys with the root key'),
  'data_key.created': onObject('Data key created', 'created the data key'),
  'data_key.deleted': onObject('Data key deleted', 'deleted the data key'),
  'operator.created': {
    title: 'Operator added',
    say: (object, reason) => `added the operator ${firstWord(reason) || object}`,
  },
  'operator.changed': {
    title: 'Operator changed',
    say: (object, reason) =>
      reason === 'password'
        ? `set the password of the operator ${object}`
        : `changed the operator ${object}${after(': ', reason)}`,
  },
  'operator.deleted': {
    title: 'Operator deleted',
    say: (object, reason) => `deleted the operator ${firstWord(reason) || object}`,
  },
  'operator.link_created': onObjectName('Sign-in link created', 'created a sign-in link for the operator'),
  'operator.passkey_added': {
    title: 'Passkey added',
    say: (_, reason) => `added the passkey${after(' ', reason)}`,
  },
  'operator.passkey_removed': {
    title: 'Passkey removed',
    say: (_, reason) => `removed the passkey${after(' ', reason)}`,
  },
  'operator.signed_in': {
    title: 'Operator signed in',
    say: (_, reason) => `signed in${SIGN_IN_METHODS[reason] ?? ''}`,
  },
  'operator.sign_in_refused': {
    title: 'Sign-in failed',
    say: (_, reason) => `failed to sign in${after(': ', reason)}`,
  },
  'operator.signed_out': { title: 'Operator signed out', say: () => 'signed out' },
  'address.refused': onObject('Forbidden address blocked', 'was blocked from calling the forbidden address'),
};

/** Returns the readable name of the actor of an audit event. */
export function whoOf(actor: string, names: Names): string {
  if (actor.startsWith('operator:')) return actor.slice('operator:'.length);
  if (actor.startsWith('token:')) return `Token ${actor.slice('token:'.length)}`;
  if (actor === 'command') return 'Command line';
  if (actor === 'user') return 'User in a browser';
  if (actor === 'service') return 'Service';
  return `Application ${names.get(actor) ?? actor}`;
}

/** Describes an audit event. The text follows the name of the actor. */
export function whatOf({ action, object, reason }: AuditEvent, names: Names): string {
  // `words` may be `undefined`, because a newer instance of the service may have written an action that this dashboard
  // does not know.
  const words: ActionWords | undefined = ACTIONS[action];
  const name = names.get(object) ?? object;
  return words?.say(name, reason ?? '') ?? `performed ${action} on ${name}`;
}

/** Returns the readable title of an action. A newer instance of the service may know more actions. */
export const titleOfAction = (action: string): string =>
  (ACTIONS as Readonly<Record<string, ActionWords | undefined>>)[action]?.title ?? action;
