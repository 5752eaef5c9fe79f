import { Copied } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Time } from '../../parts/time.tsx';

/** A link that signs somebody in once. */
export interface SentLink {
  readonly name: string;
  readonly link: string;
  readonly expiresAt: string;
}

interface LinkDialogProps {
  readonly sent: SentLink;
  readonly onClose: () => void;
}

export const LinkDialog = ({ sent: { name, link, expiresAt }, onClose }: LinkDialogProps) => (
  <Dialog title={`The sign-in link of ${name}`} onClose={onClose}>
    <p>
      Send it to {name} on a way that nobody else reads: whoever opens it first is signed in as {name}. It
      works once, ends <Time at={expiresAt} />, and is not shown again.
    </p>
    <Copied text={link} what="the sign-in link" />
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </Dialog>
);
