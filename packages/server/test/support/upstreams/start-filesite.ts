import { type SiteFiles, siteFiles, type Upload, type UploadOptions } from '@svc/filesite';
import type { RecordedRequest } from '@svc/sandbox';
import { type Application, signIn } from '../service/application.js';
import { connectAccount, type Service, startService } from '../service/service.js';

export const ACCOUNT = { connectionName: 'filesite', identifier: 'user_42' };

export interface FilesiteService {
  readonly service: Service;
  readonly application: Application;
  readonly files: SiteFiles;
  /** Uploads a file to the root site. */
  upload(path: string, content: Upload['content'], options?: UploadOptions): ReturnType<SiteFiles['upload']>;
  /** Downloads a file of the root site and returns its content. */
  contentOf(path: string): Promise<Buffer>;
  /**
   * Requests that the upstream received: `api` for API calls, `signed` for calls to pre-signed URLs. Default: `api`.
   */
  sent(kind?: 'signed' | 'api'): Promise<RecordedRequest[]>;
  /** Clears the recorded requests and the planned upstream failures. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service and a sandbox of the file-site connector, with a connected user. */
export async function startFilesite(): Promise<FilesiteService> {
  const service = await startService({ connectors: ['filesite'] });
  const { sandbox, svc } = service;
  const application = await signIn(service);
  await connectAccount(service, 'filesite');
  const files = siteFiles(svc, ACCOUNT);
  return {
    service,
    application,
    files,
    upload: (path, content, options) => files.upload({ path, content }, options),
    async contentOf(path) {
      const { stream } = await files.download({ path });
      return Buffer.from(await new Response(stream).arrayBuffer());
    },
    async sent(kind = 'api') {
      const requests = await sandbox.requests('filesite');
      return requests.filter(({ path }) => path.startsWith('/_sharepoint/') === (kind === 'signed'));
    },
    async clear() {
      await sandbox.dials('filesite', { failNext: null });
      await sandbox.clearRequests();
    },
    stop: service.stop,
  };
}
