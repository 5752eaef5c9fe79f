import type { ResponseOf } from '../../api/call.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Notice } from '../../parts/notice.tsx';
import { toOperatorText } from '../../words/service-texts.ts';
import { JsonTree } from './json-tree.tsx';

export type Execute = 'POST /operator/v1/applications/{applicationId}/tools/{toolName}/execute';

/** Result of a dry run: the requests that the real call would send. */
export type Plan = Extract<ResponseOf<Execute>, { readonly dryRun: unknown }>['dryRun'];

type Planned = Plan['requests'][number];

const queryOf = ({ query = {} }: Planned): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
};

function PlannedRequest({ request }: { readonly request: Planned }) {
  const { method, host, path, headers, body, isSent } = request;
  return (
    <li class="stack">
      <p>
        <code class="address">
          <strong>{method}</strong> {host}
          <wbr />
          {path}
          <wbr />
          {queryOf(request)}
        </code>{' '}
        {isSent && <span class="tag">sent by this dry run</span>}
      </p>
      {(headers !== undefined || body !== undefined) && (
        <div class="tree mono">
          {headers !== undefined && <JsonTree name="headers" value={headers} depth={1} />}
          {body !== undefined && <JsonTree name="body" value={body} />}
        </div>
      )}
    </li>
  );
}

const countWords = (count: number): string =>
  count === 1 ? 'One request would be sent' : `${count || 'No'} requests would be sent`;

export const DryRunResult = ({ plan }: { readonly plan: Plan }) => {
  const { requests, unknown, refusal } = plan;
  const unsent = requests.filter(({ isSent }) => !isSent);
  return (
    <>
      {refusal && (
        <Notice tone="warn">
          <p>The service would reject this call without sending a request.</p>
          <p>{toOperatorText(refusal.message)}</p>
        </Notice>
      )}
      <p class="row">
        <span class="badge good">The dry run changed nothing</span>
        <span>
          {countWords(unsent.length)}
          {unknown.length > 0 && ', and possibly more'}.
        </span>
      </p>
      <div class="row">
        <h3>{requests.length === 1 ? 'Request' : 'Requests'}</h3>
        <CopyButton text={JSON.stringify(requests, null, 2)} what="the requests as JSON" />
      </div>
      <ol class="requests">
        {requests.map((request, index) => (
          // The list never changes, so the index is a stable key.
          <PlannedRequest key={index} request={request} />
        ))}
      </ol>
      {unknown.map((sentence) => (
        <p class="soft" key={sentence}>
          {sentence}
        </p>
      ))}
      <p class="soft">
        The service adds the credentials when it sends the requests. The dashboard never shows credentials.
      </p>
    </>
  );
};
