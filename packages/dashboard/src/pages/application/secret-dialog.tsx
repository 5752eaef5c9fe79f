import { Code, Copied } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { environmentLines } from './environment-lines.ts';

interface SecretDialogProps {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly onClose: () => void;
}

/** Shows a client secret, which the service never shows again. */
export const SecretDialog = ({ clientId, clientSecret, onClose }: SecretDialogProps) => (
  <Dialog title="The new client secret" onClose={onClose} isLasting>
    <Notice tone="warn">
      It is shown this once: the service keeps only a digest of it. Copy it before you close this; if it is
      lost, add another.
    </Notice>
    <Copied text={clientSecret} what="the client secret" />
    <p>For the .env file of your application:</p>
    <Code
      text={environmentLines({ environmentUrl: location.origin, clientId, clientSecret })}
      what="Environment variables with the secret"
    />
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </Dialog>
);
