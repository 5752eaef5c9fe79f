import type { Answer } from '../../api/call.ts';

export type AuditEvent = Answer<'GET /operator/v1/audit-events'>['items'][number];
export type AuditAction = AuditEvent['action'];

/** The names of applications and connections by id. */
export type Names = ReadonlyMap<string, string>;

interface ActionWords {
  /** The title in the list of actions. */
  readonly title: string;
  /** The words after the name of the actor. `object` is a name, or an id where no name is known. */
  readonly say: (object: string, reason: string) => string;
}

/** The fields of `clientId,baseUrl` in words: client id, base URL. */
const fieldsOf = (reason: string): string =>
  reason
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\burl/g, 'URL')
    .replaceAll(',', ', ');

const after = (between: string, said: string): string => (said === '' ? '' : `${between}${said}`);

/** A remark where the upstream did not confirm that an access ended. */
const unconfirmed = (reason: string): string =>
  reason.startsWith('failed') ? ', which the upstream did not confirm' : '';

const firstWord = (reason: string): string => reason.split(',')[0] ?? reason;

const WAYS_IN: Readonly<Record<string, string>> = {
  password: ' by password',
  link: ' by a one-time link',
  passkey: ' by passkey',
};

/** Every action that is audited, in words. */
export const ACTIONS: Readonly<Record<AuditAction, ActionWords>> = {
  'application.created': {
    title: 'Application made',
    say: (object, reason) => `made the application ${reason || object}`,
  },
  'application.changed': {
    title: 'Application changed',
    say: (object, reason) => `changed the application ${object}${after(': ', fieldsOf(reason))}`,
  },
  'application.deleted': {
    title: 'Application deleted',
    say: (object, reason) => `deleted the application ${reason || object} with everything that it had`,
  },
  'client_secret.created': {
    title: 'Client secret made',
    say: (object) => `made the client secret ${object}`,
  },
  'client_secret.revoked': {
    title: 'Client secret revoked',
    say: (object) => `revoked the client secret ${object}`,
  },
  'account_token.created': {
    title: 'Token for a browser made',
    say: (object) => `made the token ${object} for a browser`,
  },
  'account_token.revoked': {
    title: 'Token for a browser revoked',
    say: (object) => `revoked the token ${object} for a browser, and all that were made from it`,
  },
  'agent_token.created': {
    title: 'Token for an agent made',
    say: (object) => `made the token ${object} for an agent`,
  },
  'agent_token.revoked': {
    title: 'Token for an agent revoked',
    say: (object) => `revoked the token ${object} for an agent, and all that were made from it`,
  },
  'agent_access.changed': {
    title: 'Sign-in for MCP clients changed',
    say: () => 'changed how users sign in to give MCP clients access',
  },
  'agent_access.deleted': {
    title: 'Sign-in for MCP clients deleted',
    say: () => 'lets nobody sign in for MCP clients any more',
  },
  'agent_client.created': {
    title: 'MCP client made known',
    say: (object, reason) => `made the MCP client ${reason || object} known`,
  },
  'agent_client.deleted': {
    title: 'MCP client deleted',
    say: (object) => `deleted the MCP client ${object}`,
  },
  'agent_sign_in.refused': {
    title: 'Sign-in for an MCP client refused',
    say: (object, reason) => `was refused in the sign-in ${object} for an MCP client${after(': ', reason)}`,
  },
  'agent_grant.created': {
    title: 'Access given to an MCP client',
    say: (object, reason) => `gave the MCP client ${reason || 'that asked'} access, as ${object}`,
  },
  'agent_grant.revoked': {
    title: 'Access of an MCP client revoked',
    say: (object, reason) => `ended the access ${object} of an MCP client${after(': ', reason)}`,
  },
  'connection.created': {
    title: 'Connection made',
    say: (object, reason) => `made the connection ${reason || object}`,
  },
  'connection.changed': {
    title: 'Connection changed',
    say: (object, reason) =>
      reason === 'accepted_by_upstream'
        ? `found that the service behind the connection ${object} accepts its client again`
        : `changed the connection ${object}${after(': ', fieldsOf(reason))}`,
  },
  'connection.checked': {
    title: 'Connection tested',
    say: (object, reason) =>
      `tested the connection ${object}${reason === 'working' ? ': it works' : after(', which failed at ', reason)}`,
  },
  'connection.deleted': {
    title: 'Connection deleted',
    say: (object, reason) => `deleted the connection ${reason || object} with its accounts`,
  },
  'connection.refused_by_upstream': {
    title: 'Connection refused',
    say: (object) => `found that the service behind the connection ${object} refuses its client`,
  },
  'account.created': { title: 'Account made', say: (object) => `made the account ${object}` },
  'account.authorized': { title: 'Account connected', say: (object) => `connected the account ${object}` },
  'account.secrets_changed': {
    title: 'Key or token of an account changed',
    say: (object) => `gave the account ${object} a new key or token`,
  },
  'account.reauthorization_required': {
    title: 'Access of an account ended',
    say: (object) => `noted that the access of the account ${object} has ended`,
  },
  'account.revoked': {
    title: 'Access of an account revoked',
    say: (object, reason) => `revoked the access of the account ${object}${unconfirmed(reason)}`,
  },
  'account.deleted': {
    title: 'Account deleted',
    say: (object, reason) => `deleted the account ${object}${unconfirmed(reason)}`,
  },
  'account.verified': { title: 'Account verified', say: (object) => `confirmed whose account ${object} is` },
  'account.verification_refused': {
    title: 'Verification refused',
    say: (object) => `was refused: the account ${object} could not be verified`,
  },
  'authorization.refused': {
    title: 'Authorization refused',
    say: (object) => `was refused: the approval of the account ${object} did not go through`,
  },
  'approval.requested': {
    title: 'Approval asked for',
    say: (object, reason) => `asked for the approval ${object}${after(' of a call of ', reason)}`,
  },
  'approval.approved': {
    title: 'Call approved',
    say: (object, reason) => `agreed to the approval ${object}${after(' of a call of ', reason)}`,
  },
  'approval.denied': {
    title: 'Call refused',
    say: (object, reason) => `refused the approval ${object}${after(' of a call of ', reason)}`,
  },
  'approval.expired': {
    title: 'Approval expired',
    say: (object, reason) => `let the approval ${object}${after(' of a call of ', reason)} expire`,
  },
  'approval.executed': {
    title: 'Approved call ran',
    say: (object, reason) => `ran what the approval ${object}${after(' of a call of ', reason)} allowed`,
  },
  'approval.interrupted': {
    title: 'Approved call broken off',
    say: (object, reason) =>
      `found that what the approval ${object}${after(' of a call of ', reason)} allowed was broken off`,
  },
  'root_key.rotated': {
    title: 'Root key rotated',
    say: (object) => `wrapped all keys by the root key ${object}`,
  },
  'data_key.created': { title: 'Data key made', say: (object) => `made the data key ${object}` },
  'data_key.deleted': { title: 'Data key deleted', say: (object) => `deleted the data key ${object}` },
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
  'operator.link_created': {
    title: 'Sign-in link made',
    say: (object, reason) => `made a sign-in link for the operator ${reason || object}`,
  },
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
    say: (_, reason) => `signed in${WAYS_IN[reason] ?? ''}`,
  },
  'operator.sign_in_refused': {
    title: 'Sign-in refused',
    say: (_, reason) => `could not sign in${after(': ', reason)}`,
  },
  'operator.signed_out': { title: 'Operator signed out', say: () => 'signed out' },
  'address.refused': {
    title: 'Address refused',
    say: (object) => `was kept from reaching ${object}, an address that is not allowed`,
  },
};

/** The words for an actor. */
export function whoOf(actor: string, names: Names): string {
  if (actor.startsWith('operator:')) return actor.slice('operator:'.length);
  if (actor.startsWith('token:')) return `The holder of the token ${actor.slice('token:'.length)}`;
  if (actor === 'command') return 'Somebody at the command line';
  if (actor === 'user') return 'Somebody in a browser';
  if (actor === 'service') return 'The service itself';
  return `The application ${names.get(actor) ?? actor}`;
}

/** The words for an action. They follow the words for its actor. */
export function whatOf({ action, object, reason }: AuditEvent, names: Names): string {
  // A newer instance may have written an action that this one does not know.
  const words: ActionWords | undefined = ACTIONS[action];
  const name = names.get(object) ?? object;
  return words?.say(name, reason ?? '') ?? `caused ${action} of ${name}`;
}
