import type { Access } from './access.ts';
import { Limits } from './limits.tsx';
import { WAYS } from './words.ts';

/** Where users sign in, for those who may only look. */
export const AccessFacts = ({ access }: { readonly access: Access | null }) => (
  <section class="panel">
    <h2>Where users sign in</h2>
    {access === null ? (
      <p>Nobody can sign in for an MCP client yet. An operator says first where your users do.</p>
    ) : (
      <Facts access={access} />
    )}
  </section>
);

const Facts = ({ access: { signInUrl, openId, limits } }: { readonly access: Access }) => {
  const way = WAYS.find(({ value }) => value === (openId ? 'openId' : 'signInUrl'));
  return (
    <>
      <dl class="facts">
        <dt>Who signs users in</dt>
        <dd>
          {way?.title}: <span class="soft">{way?.means}</span>
        </dd>
        {openId ? (
          <>
            <dt>Issuer</dt>
            <dd>{openId.issuer}</dd>
            <dt>Client ID</dt>
            <dd>{openId.clientId}</dd>
            <dt>Client secret</dt>
            <dd>{openId.hasClientSecret ? 'Stored, encrypted' : 'None'}</dd>
            <dt>Claim</dt>
            <dd>{openId.claim}</dd>
            <dt>Scopes</dt>
            <dd>{openId.scopes.join(' ')}</dd>
          </>
        ) : (
          <>
            <dt>Sign-in URL</dt>
            <dd>{signInUrl}</dd>
          </>
        )}
      </dl>
      <Limits limits={limits} />
    </>
  );
};
