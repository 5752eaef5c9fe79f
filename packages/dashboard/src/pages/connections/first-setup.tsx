import type { ComponentChildren } from 'preact';
import type { Connector } from '../../api/catalogue.ts';
import { Copied } from '../../parts/copy.tsx';
import { Markdown } from '../../parts/markdown.tsx';

interface FirstSetupProps {
  readonly redirectUri: string;
  readonly connector: Connector;
  /** The form that takes the client. */
  readonly children: ComponentChildren;
}

/** What is left to do before users can connect, in its order. */
export const FirstSetup = ({ redirectUri, connector, children }: FirstSetupProps) => (
  <ol class="steps">
    <li class="panel">
      <h2>Copy the redirect URI</h2>
      <Copied text={redirectUri} what="the redirect URI" />
    </li>
    <li class="panel">
      <h2>Register it with {connector.api}</h2>
      {connector.setup !== undefined && <Markdown text={connector.setup} />}
    </li>
    <li class="panel">
      <h2>Use your own credentials</h2>
      {children}
    </li>
  </ol>
);
