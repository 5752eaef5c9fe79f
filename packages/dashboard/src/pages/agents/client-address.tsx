import { Code, Copied } from '../../parts/copy.tsx';
import type { Access } from './access.ts';
import { commandLine, fileLines } from './client-lines.ts';
import { doorOf, registrationWords } from './words.ts';

interface ClientAddressProps {
  readonly applicationId: string;
  readonly access: Access;
}

/** What is pasted into a client, and whether that is enough. */
export function ClientAddress({ applicationId, access: { registration } }: ClientAddressProps) {
  const address = location.origin + doorOf(applicationId);
  return (
    <section class="panel">
      <h2>What to paste into a client</h2>
      <dl class="facts">
        <dt>Address of the tools</dt>
        <dd>
          <Copied text={address} what="the address for MCP clients" />
        </dd>
        <dt>One connector alone</dt>
        <dd>
          <code>{address}/calendar</code>, or another connector’s name
        </dd>
        <dt>Registration</dt>
        <dd>{registrationWords(registration)}</dd>
      </dl>
      <p class="soft">
        Paste the address where the client asks for the URL of an MCP server or of a custom connector. It
        opens the sign-in by itself; where it asks for a client ID too, give it one of those below, and no
        secret.
      </p>
      <details>
        <summary>For Claude Code and for editors</summary>
        <div class="stack">
          <Code text={commandLine(address)} what="The tools in Claude Code" />
          <p class="soft">Editors such as Cursor read this from a file.</p>
          <Code text={fileLines(address)} what="The tools in an editor" />
        </div>
      </details>
    </section>
  );
}
