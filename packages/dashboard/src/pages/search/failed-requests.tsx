import { Fact } from '../../parts/fact.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { PATHS, withQuery } from '../../paths.ts';
import { errorWords } from '../../words/error-codes.ts';
import { FOUND_TITLES, type Found, foundHref } from '../../words/search.ts';
import { Cause } from '../executions/cause.tsx';

function FailedRequest({ found }: { readonly found: Found }) {
  const { actor, at, cause, executionId, id, objects = [], state = '', status, title } = found;
  const { explanation, next } = errorWords(state);
  return (
    <article class="panel">
      <h3>{title}</h3>
      <Notice tone="bad">
        <p>
          <strong>{explanation}</strong> {next}
        </p>
        <p class="soft">
          The caller received status {status} and the error code <code>{state}</code>.
        </p>
      </Notice>
      {cause && <Cause cause={cause} errorCode={state} />}
      <dl class="facts">
        {executionId !== undefined && (
          <Fact title="Execution">
            <a href={foundHref('failedRequest', found)}>Show the execution that counts this call</a>
          </Fact>
        )}
        {actor !== undefined && <Fact title="Caller">{actor}</Fact>}
        {objects.map((object, index) => (
          <Fact key={object} title={index === 0 ? 'Object' : 'Second object'}>
            <a href={withQuery(PATHS.search, { q: object })}>
              <code>{object}</code>
            </a>
          </Fact>
        ))}
        {at !== undefined && (
          <Fact title="Time">
            <Time at={at} />
          </Fact>
        )}
        <Fact title="Request ID">
          <code>{id}</code>
        </Fact>
      </dl>
    </article>
  );
}

interface FailedRequestsProps {
  readonly items: readonly Found[];
  readonly hasMore: boolean;
}

/**
 * Shows requests that failed without an execution of their own. Only the search page shows the cause of these requests.
 */
export const FailedRequests = ({ items, hasMore }: FailedRequestsProps) => (
  <section class="stack" aria-labelledby="found-failedRequest">
    <h2 id="found-failedRequest">
      {FOUND_TITLES.failedRequest} ({hasMore ? `more than ${items.length}` : items.length})
    </h2>
    {items.map((found) => (
      <FailedRequest key={found.id} found={found} />
    ))}
    {hasMore && <p class="soft">Only {items.length} are shown. Type more characters to narrow the search.</p>}
  </section>
);
