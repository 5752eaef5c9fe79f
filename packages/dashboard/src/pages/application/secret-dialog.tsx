import { Code, Copied } from '../../parts/copy.tsx';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { serviceUrl } from '../../service-url.ts';
import { environmentLines } from './environment-lines.ts';

interface SecretDialogProps {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly onClose: () => void;
}

/** Shows a new client secret. The dialog does not close by Escape, because the service never shows the secret again. */
export const SecretDialog = ({ clientId, clientSecret, onClose }: SecretDialogProps) => (
  <Dialog title="New client secret" onClose={onClose} isPersistent>
    <Notice tone="warn">
      Copy the client secret now, because the service shows it only once and stores only its digest. If you
      lose the client secret, add a new one.
    </Notice>
    <Copied text={clientSecret} what="the client secret" />
    <p>Environment variables for your application:</p>
    <Code
      text={environmentLines({ environmentUrl: serviceUrl(), clientId, clientSecret })}
      what="Environment variables with the secret"
    />
    <CloseButton label="Close after copying" onClose={onClose} />
  </Dialog>
);
