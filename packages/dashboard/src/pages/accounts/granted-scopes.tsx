import type { Connector } from '../../api/catalogue.ts';

interface GrantedScopesProps {
  readonly granted: readonly string[];
  /** The scopes that the connection requests now. */
  readonly asked: readonly string[];
  readonly connector: Connector | undefined;
}

interface ListProps {
  readonly names: readonly string[];
  readonly connector: Connector | undefined;
}

const List = ({ names, connector }: ListProps) => (
  <ul class="plain-list">
    {names.map((name) => {
      const words = connector?.scopes.find((scope) => scope.name === name)?.description;
      return (
        <li key={name}>
          {words} <code class={words && 'soft'}>{name}</code>
        </li>
      );
    })}
  </ul>
);

/** The granted scopes in words, and the requested scopes that are missing. */
export function GrantedScopes({ granted, asked, connector }: GrantedScopesProps) {
  const missing = asked.filter((scope) => !granted.includes(scope));
  return (
    <>
      {granted.length === 0 ? (
        <p class="soft">The upstream did not say what the user granted.</p>
      ) : (
        <List names={granted} connector={connector} />
      )}
      {granted.length > 0 && missing.length > 0 && (
        <>
          <h3>Asked for, and not granted</h3>
          <List names={missing} connector={connector} />
          <p class="soft">A new link asks the user for these too.</p>
        </>
      )}
    </>
  );
}
