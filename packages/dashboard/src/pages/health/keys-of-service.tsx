import type { Health } from '../../api/health.ts';
import { Copied } from '../../parts/copy.tsx';
import { Time } from '../../parts/time.tsx';

interface RootKeyWords {
  readonly where: string;
  /** What to do before the command that changes it. */
  readonly before: string;
}

const IN_SETTINGS =
  'Set SVC_ROOT_KEY to the new one and SVC_PREVIOUS_ROOT_KEYS to this one, restart the service, and then run:';

const ROOT_KEYS: Readonly<Record<Health['rootKey']['kind'], RootKeyWords>> = {
  file: { where: 'in a key file', before: 'The key file gets a new one, and the old one goes, by:' },
  environment: { where: 'in the setting SVC_ROOT_KEY', before: IN_SETTINGS },
  aws_kms: { where: 'in AWS KMS, which never gives it away', before: IN_SETTINGS },
  gcp_kms: { where: 'in Google Cloud KMS, which never gives it away', before: IN_SETTINGS },
};

/** With what the secrets of users are encrypted. */
export const KeysOfService = ({ rootKey, dataKeys }: Pick<Health, 'rootKey' | 'dataKeys'>) => (
  <section class="panel">
    <h2>Keys</h2>
    <p class="soft">
      Every application has data keys, which encrypt its secrets; the root key wraps those, and is never in
      the database.
    </p>
    <dl class="facts">
      <dt>Root key</dt>
      <dd>
        <code>{rootKey.id}</code>, {ROOT_KEYS[rootKey.kind].where}
      </dd>
      <dt>Data keys</dt>
      <dd>
        {dataKeys.count}
        {dataKeys.oldestCreatedAt !== undefined && (
          <>
            , the oldest made <Time at={dataKeys.oldestCreatedAt} />
          </>
        )}
      </dd>
    </dl>
    <details>
      <summary>Change the keys</summary>
      <div class="stack">
        <p>Data keys: everything is encrypted anew, while the service runs on.</p>
        <Copied text="svc-server keys rotate" what="the command that rotates the data keys" />
        <p>Root key: {ROOT_KEYS[rootKey.kind].before}</p>
        <Copied text="svc-server keys rotate --root" what="the command that rotates the root key" />
      </div>
    </details>
  </section>
);
