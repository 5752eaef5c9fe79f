import { failureReason, type ServiceError } from '../errors.js';
import type { Outcome } from './forward-event.js';

const FAILURES: Readonly<Record<string, string>> = {
  refused:
    'accepts no connection. Start your receiver, or restart this command with the right port in --forward-to. Events wait until the receiver accepts connections.',
  unknown_host:
    'has a host name that cannot be resolved. Restart this command with the right host in --forward-to. Events wait meanwhile.',
  upstream_timeout: 'did not respond within 15 s. Respond with status 2xx before you process an event.',
  tls: 'has no certificate that this machine trusts. Use an http URL in --forward-to, or set NODE_EXTRA_CA_CERTS to the file of its certificate authority.',
  closed: 'closed the connection without a response. Look for the error in the log of your receiver.',
};

/** Says why the receiver did not accept an event, and what the developer must do. */
export function explainReceiver(receiver: string, { failure, status }: Outcome): string {
  if (failure === undefined)
    return `${receiver} responded with status ${status}, but only 2xx accepts an event. Look for the error in the log of your receiver, and check the path in --forward-to.`;
  return `${receiver} ${FAILURES[failure] ?? `failed (${failure}). Look for the error in the log of your receiver.`}`;
}

/** Says why the service did not return events, and what the developer must do. `listen` repeats the request itself. */
export function explainService(service: string, error: ServiceError): string {
  const { code, message } = error;
  const reason = failureReason(error);
  if (code === 'unavailable') return `${service} returns no events now: ${message} The command retries.`;
  if (reason === 'unknown_host')
    return `The host name of ${service} cannot be resolved. Restart this command with the right SVC_ENVIRONMENT_URL. The command retries meanwhile.`;
  return `${service} does not respond (${reason}). Start the service, or restart this command with the right SVC_ENVIRONMENT_URL. The command retries meanwhile.`;
}
