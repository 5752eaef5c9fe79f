import { randomUUID } from 'node:crypto';
import type { OAuthReply } from '../../oauth/authorization-server.js';

interface Known {
  readonly status: number;
  readonly error: string;
  readonly number: number;
  readonly text: string;
}

const KNOWN = {
  missingParameter: {
    status: 400,
    error: 'invalid_request',
    number: 900144,
    text: 'The request body must contain the following parameter:',
  },
  crossOrigin: {
    status: 400,
    error: 'invalid_request',
    number: 9002326,
    text: "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
  },
  unknownTenant: {
    status: 400,
    error: 'invalid_request',
    number: 90002,
    text: 'Tenant not found. Check to make sure you have the correct tenant ID.',
  },
  expiredCode: {
    status: 400,
    error: 'invalid_grant',
    number: 70008,
    text: 'The provided authorization code or refresh token has expired due to inactivity.',
  },
  endedToken: {
    status: 400,
    error: 'invalid_grant',
    number: 700082,
    text: 'The refresh token has expired due to inactivity.',
  },
  revokedGrant: {
    status: 400,
    error: 'invalid_grant',
    number: 50173,
    text: 'The provided grant has expired due to it being revoked. The user might have changed or reset their password.',
  },
  invalidClient: {
    status: 401,
    error: 'invalid_client',
    number: 7000215,
    text: 'Invalid client secret provided.',
  },
  unsupportedGrant: {
    status: 400,
    error: 'unsupported_grant_type',
    number: 70003,
    text: 'The app requested an unsupported grant type.',
  },
  invalidScope: {
    status: 400,
    error: 'invalid_scope',
    number: 70011,
    text: "The provided value for the input parameter 'scope' is not valid.",
  },
} as const satisfies Record<string, Known>;

/** A refusal of the token endpoint, in the company's form; one for what is missing names it. */
export function tokenError(name: keyof typeof KNOWN, now: number, parameter?: string): OAuthReply {
  const { status, error, number, text } = KNOWN[name];
  const about = parameter === undefined ? '' : ` '${parameter}'.`;
  const [traceId, correlationId] = [randomUUID(), randomUUID()];
  const timestamp = `${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const description = `AADSTS${number}: ${text}${about} Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`;
  return {
    status,
    body: {
      error,
      error_description: description,
      error_codes: [number],
      timestamp,
      trace_id: traceId,
      correlation_id: correlationId,
    },
  };
}

/** The same refusal of the authorization server behind it. */
export function toTokenError(error: unknown, form: Record<string, string>, now: number): OAuthReply {
  switch (error) {
    case 'invalid_grant':
      return tokenError(form.grant_type === 'refresh_token' ? 'revokedGrant' : 'expiredCode', now);
    case 'invalid_client':
    case 'unauthorized_client':
      return tokenError('invalidClient', now);
    case 'unsupported_grant_type':
      return tokenError('unsupportedGrant', now);
    case 'invalid_scope':
      return tokenError('invalidScope', now);
    default:
      return tokenError('missingParameter', now, 'client_id');
  }
}
