import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../config/usage-error.js';
import { createAgent } from '../http/agent.js';
import { createFindEgressProxy } from '../http/egress-proxy.js';
import { createSend } from '../http/send-http.js';
import { createForwardEvent } from '../relay/forward-event.js';
import { createRelay, type RelayedEvent, type RelayFilter } from '../relay/relay-events.js';
import { relayOrigins } from '../relay/relay-origins.js';
import { createServiceClient } from '../relay/service-client.js';
import { secret } from '../secret.js';
import { isoTime } from '../text/iso-time.js';
import { printableLine } from '../text/printable.js';
import type { ClientCommand, ClientParts, CommandInput, CommandLine } from './command.js';

const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface Settings {
  readonly forwardTo: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  readonly filter: RelayFilter;
}

function readForwardTo(given: string): string {
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === '')
    return url.href;
  throw new UsageError(
    `--forward-to is not an http or https URL, or has a user name, password or fragment. Set it to a URL such as http://localhost:3000/hook.`,
  );
}

/**
 * Returns the secret that signs the requests. Without SVC_WEBHOOK_SECRET it is derived from the client secret, so that
 * it stays the same in each run. It does not reveal the client secret.
 */
function readSigningSecret(given: string | undefined, clientSecret: string): string {
  if (given) {
    if (SECRET.test(given)) return given;
    throw new UsageError(
      'SVC_WEBHOOK_SECRET is not a signing secret. Set it to whsec_ followed by base64, like the secret of a webhook endpoint, or do not set it.',
    );
  }
  return `whsec_${createHmac('sha256', clientSecret).update('svc-server listen').digest('base64')}`;
}

function readSettings({ env }: ClientParts, input: CommandInput): Settings {
  const { SVC_CLIENT_ID: clientId, SVC_CLIENT_SECRET: clientSecret, SVC_WEBHOOK_SECRET: given } = env;
  if (!clientId || !clientSecret)
    throw new UsageError(
      'SVC_CLIENT_ID or SVC_CLIENT_SECRET is not set. Set both to the values of your application.',
    );
  return {
    forwardTo: readForwardTo(input.argument('forward-to')),
    clientId,
    clientSecret,
    signingSecret: readSigningSecret(given, clientSecret),
    filter: {
      types: input.text('types'),
      connectionName: input.text('connection'),
      after: input.text('after'),
    },
  };
}

const introductionOf = (
  { environmentUrl }: ClientParts,
  { forwardTo, signingSecret }: Settings,
): readonly CommandLine[] => [
  {
    data: { forwardTo, secret: signingSecret },
    text: `Events of ${environmentUrl} go to ${forwardTo}. Ctrl+C ends the command.`,
  },
  { text: `Secret for verifyWebhook: ${signingSecret}` },
];

function toLine({ event, retryInMs, ...outcome }: RelayedEvent): CommandLine {
  const { id, type } = event;
  const { durationMs, status, failure } = outcome;
  const at = isoTime(Date.now());
  const isFailed = failure !== undefined || status === undefined || status < 200 || status > 299;
  const next = retryInMs === undefined ? '; no retry' : `; retry in ${retryInMs / 1000} s`;
  return {
    data: { at, id, type, ...outcome, ...(retryInMs !== undefined && { retryInMs }) },
    text: `${at} ${type} ${id} ${status ?? failure} in ${durationMs} ms${isFailed ? next : ''}`,
  };
}

async function* run(parts: ClientParts, input: CommandInput): AsyncGenerator<CommandLine, void> {
  const settings = readSettings(parts, input);
  const { environmentUrl, egressProxies, signal } = parts;
  const { forwardTo, clientId, clientSecret, signingSecret, filter } = settings;
  const agent = createAgent({
    allowedOrigins: relayOrigins([environmentUrl, forwardTo]),
    findEgressProxy: createFindEgressProxy(egressProxies),
  });
  const send = createSend(agent);
  const relay = createRelay({
    client: createServiceClient({ send, environmentUrl, clientId, clientSecret, signal }),
    forwardEvent: createForwardEvent({
      send,
      url: forwardTo,
      secret: secret(signingSecret),
      now: Date.now,
      signal,
    }),
    notify: (message) => void process.stderr.write(`${printableLine(message)}\n`),
    signal,
    pause: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    service: environmentUrl,
    receiver: forwardTo,
  });
  try {
    const first = await relay.begin(filter);
    if (first === undefined) return;
    yield* introductionOf(parts, settings);
    for await (const relayed of relay.run(filter, first)) yield toLine(relayed);
  } finally {
    await agent.destroy();
  }
}

/** Command that brings the events of an application to a receiver on the developer's machine. */
export const listen: ClientCommand = {
  name: 'listen',
  summary: 'Forward the events of an application as signed webhooks to a local URL, until Ctrl+C',
  options: {
    'forward-to': {
      type: 'string',
      isRequired: true,
      value: 'URL',
      help: 'URL that gets the events, such as http://localhost:3000/hook',
    },
    types: {
      type: 'string',
      value: 'TYPES',
      help: 'Forward only events of these types, separated by commas',
    },
    connection: {
      type: 'string',
      value: 'NAME',
      help: 'Forward only events of the connection with this name',
    },
    after: {
      type: 'string',
      value: 'ID',
      help: 'Begin after the event with this id; default: only new events',
    },
  },
  needsService: 'running',
  notes:
    'The command calls the service at --environment-url or SVC_ENVIRONMENT_URL (http://localhost:4400) with SVC_CLIENT_ID and SVC_CLIENT_SECRET. SVC_WEBHOOK_SECRET sets the secret that signs the requests; by default, the command prints a secret that is the same in every run.',
  run,
};
