import type { Outcome } from '../../../google/method.js';
import type { Rules } from '../../../google/parameter-rules.js';
import { each, pick, record, text, textOf, withEtag, within, word } from '../body.js';
import { forbidden, missingParameter, refuse } from '../refusals.js';
import { MANAGING, VIEWING } from '../scopes.js';
import type { Fields, ThirdPartyLink } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { requiredText } from './filters.js';

const TYPES = ['linkUnspecified', 'channelToStoreLink', 'channelToAffiliateProgramLink'];
const PARTS = ['linkingToken', 'status', 'snippet'];
const TYPED: Rules = { linkingToken: 'text', type: { words: TYPES }, externalChannelId: 'text' };

const BODY = record({
  ...each(text, 'kind etag linkingToken'),
  snippet: record({
    type: word(...TYPES),
    channelToStoreLink: record({ storeUrl: text, storeName: text, merchantId: text }),
    channelToAffiliateProgramLink: record({ merchantId: text, storeName: text, storeUrl: text }),
  }),
  status: record({ linkStatus: word('unknown', 'failed', 'pending', 'linked') }),
});

const CHANGED = { scopes: MANAGING, parameters: { externalChannelId: 'text' } } as const;

/**
 * Methods for links between a channel and an account at another company. A link is identified by its `linkingToken`, a
 * text that this company issues.
 */
export const thirdPartyLinkMethods = serviceMethods('ThirdPartyLink', '/thirdPartyLinks', {
  List: { scopes: VIEWING, parameters: TYPED, parts: PARTS, handle: listLinks },
  Insert: { ...CHANGED, parts: PARTS, body: BODY, handle: insertLink },
  Update: { ...CHANGED, parts: PARTS, body: BODY, handle: updateLink },
  Delete: {
    scopes: MANAGING,
    parameters: { part: 'texts', ...TYPED },
    needs: ['linkingToken', 'type'],
    handle: deleteLink,
  },
});

function present({ id, snippet }: ThirdPartyLink, { parts }: Call): Fields {
  return withEtag({
    kind: 'youtube#thirdPartyLink',
    linkingToken: id,
    ...(parts.has('snippet') ? { snippet } : {}),
    ...(parts.has('status') ? { status: { linkStatus: 'linked' } } : {}),
  });
}

function listLinks(call: Call): Outcome {
  const { world, me, parameters } = call;
  const [token, type] = [parameters.text('linkingToken'), parameters.text('type')];
  const items = [...world.links.values()]
    .filter(({ channelId }) => channelId === me.id)
    .filter(({ id, snippet }) => id === (token ?? id) && snippet.type === (type ?? snippet.type))
    .map((link) => present(link, call));
  return { body: withEtag({ kind: 'youtube#thirdPartyLinkListResponse', items }) };
}

function insertLink(call: Call): Outcome {
  const { world, me } = call;
  const id = tokenOf(call);
  if (world.links.has(id)) throw refuse(400, 'invalidLinkingToken', 'The linking token was used before.');
  return store(call, { id, channelId: me.id, snippet: writtenSnippet(call) });
}

function updateLink(call: Call): Outcome {
  const link = ownLink(call, tokenOf(call));
  return store(call, { ...link, snippet: writtenSnippet(call) });
}

function deleteLink(call: Call): Outcome {
  const link = ownLink(call, requiredText(call, 'linkingToken'));
  if (link.snippet.type !== call.parameters.text('type')) throw unknownLink();
  call.world.links.delete(link.id);
  return { status: 204 };
}

function store(call: Call, link: ThirdPartyLink): Outcome {
  call.world.links.set(link.id, link);
  return { body: present(link, call) };
}

function tokenOf({ body }: Call): string {
  const token = textOf(body, 'linkingToken') ?? '';
  if (token === '') throw missingParameter('linkingToken');
  return token;
}

const unknownLink = () => refuse(404, 'thirdPartyLinkNotFound', 'The link cannot be found.');

function ownLink({ world, me }: Call, token: string): ThirdPartyLink {
  const link = world.links.get(token);
  if (link === undefined) throw unknownLink();
  if (link.channelId !== me.id) throw forbidden();
  return link;
}

function writtenSnippet({ body }: Call): Fields {
  const snippet = within(body, 'snippet');
  const type = textOf(snippet, 'type') ?? 'linkUnspecified';
  const details = within(snippet, type);
  if (
    type === 'linkUnspecified' ||
    textOf(details, type === 'channelToStoreLink' ? 'storeUrl' : 'merchantId') === undefined
  )
    throw refuse(400, 'invalidLinkDetails', 'The link must have a type, and say what it leads to.');
  return pick(snippet, ['type', type]);
}
